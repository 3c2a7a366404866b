import type { Dirent } from 'node:fs';
import { readFileSync } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProjectContract } from '../toolkit/abi/projectContract';
import { isExcludedFolder, isProjectFile } from '../toolkit/abi/projectFiles';
import type { ProjectFile } from '../toolkit/abi/readProject';
import { limits } from '../toolkit/limits';

/** Entries that mark the root of a project. */
const rootFiles = ['package.json', '.git', 'Acton.toml', 'tact.config.json', 'blueprint.config.ts'];

/** Folders read below a folder outside a project: that may be anything, even a home folder. */
const usualFolders = ['contracts', 'sources', 'wrappers', 'build', 'output'];

/** Sources compiled to find the code of a deployed contract. */
const mostCompiled = 12;

/**
 * The contracts of the project around a file: the nearest parent folder that looks like a project root, else the
 * file's own folder. Matches what the editor knows from its workspace, so a sheet means the same in both.
 */
export function readProjectOf(file: string): Promise<ProjectContract[]> {
  return projectAround(path.dirname(path.resolve(file)))();
}

/** The contracts of the project around a folder, read on first use; outside a project, the folder's own. */
export function projectAround(folder: string): () => Promise<ProjectContract[]> {
  let contracts: Promise<ProjectContract[]> | undefined;
  const read = async (): Promise<ProjectContract[]> => {
    const resolved = path.resolve(folder);
    const root = await rootOf(resolved);
    const { readProject } = await import('../toolkit/abi/readProject');
    return readProject(await (root === undefined ? readFiles(resolved, usualFolders) : readFiles(root)));
  };
  return () => (contracts ??= read());
}

/**
 * As {@link projectAround}, for contracts with these codes: if the project does not know one of them by its build, its Tolk
 * sources are compiled, so that deployed contracts are recognized without one.
 */
export function compiledProject(
  folder: string,
): (codeHashes: ReadonlySet<string>) => Promise<ProjectContract[]> {
  const around = projectAround(folder);
  let compiled: Promise<ProjectContract[]> | undefined;
  const compile = async (contracts: readonly ProjectContract[]): Promise<ProjectContract[]> => {
    const resolved = path.resolve(folder);
    const root = (await rootOf(resolved)) ?? resolved;
    const sources = contracts.filter(
      ({ origin, layoutTexts }) => origin === 'Tolk source' && layoutTexts !== undefined,
    );
    const found: ProjectContract[] = [];
    for (const { name, file } of sources.slice(0, mostCompiled)) {
      const codeHash = await codeHashOf(path.join(root, file));
      if (codeHash !== undefined) {
        found.push({ name, file, codeHash, methods: [], errors: new Map() });
      }
    }
    return [...contracts, ...found];
  };
  return async (codeHashes) => {
    const contracts = await around();
    const { walletCodes } = await import('../toolkit/opcodes/walletCodes');
    const isKnown = (hash: string): boolean =>
      walletCodes.has(hash) || contracts.some(({ codeHash }) => codeHash === hash);
    return [...codeHashes].every(isKnown) ? contracts : (compiled ??= compile(contracts));
  };
}

/** Undefined for a source that does not compile: it is no deployed contract's, as it is. */
async function codeHashOf(file: string): Promise<string | undefined> {
  const { compileTolk } = await import('../toolkit/build/compileTolk');
  try {
    const built = await compileTolk(file.replaceAll('\\', '/'), (name) => readFileSync(name, 'utf8'));
    return built.codeHash;
  } catch {
    return undefined;
  }
}

async function rootOf(folder: string): Promise<string | undefined> {
  for (let one = folder; ; one = path.dirname(one)) {
    if ((await Promise.all(rootFiles.map((name) => exists(path.join(one, name))))).includes(true)) {
      return one;
    }
    if (path.dirname(one) === one) {
      return undefined;
    }
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Nearest folders first, up to the maximum number of files per project. */
async function readFiles(root: string, only?: readonly string[]): Promise<ProjectFile[]> {
  const files: ProjectFile[] = [];
  const folders = [''];
  for (const folder of folders) {
    for (const entry of await list(path.join(root, folder))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !isExcludedFolder(entry.name)) {
        folders.push(...(folder !== '' || only === undefined || only.includes(name) ? [name] : []));
      } else if (entry.isFile() && isProjectFile(name) && files.length < limits.projectFiles.most) {
        files.push(...(await readOne(root, name)));
      }
    }
    if (files.length >= limits.projectFiles.most) {
      break;
    }
  }
  return files;
}

/** Unreadable files are skipped; the call is made anyway. */
async function list(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function readOne(root: string, name: string): Promise<ProjectFile[]> {
  const file = path.join(root, name);
  try {
    return (await stat(file)).size > limits.projectFileBytes.most
      ? []
      : [{ path: name, text: await readFile(file, 'utf8') }];
  } catch {
    return [];
  }
}
