import type { Dirent } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DeployedCode } from '../toolkit/abi/describeContract';
import { builtContract } from '../toolkit/abi/projectContract';
import type { ProjectContract } from '../toolkit/abi/projectContract';
import { isExcludedFolder, isProjectFile } from '../toolkit/abi/projectFiles';
import type { ProjectFile } from '../toolkit/abi/readProject';
import type { BuiltContract } from '../toolkit/build/readBuiltContract';
import { limits } from '../toolkit/limits';
import { compileFile } from './compileFile';

/** Entries that mark the root of a project. */
const rootFiles = ['package.json', '.git', 'Acton.toml', 'tact.config.json', 'blueprint.config.ts'];

/** Folders searched if there is no project, where the current folder may be anything, even a home folder. */
const usualFolders = ['contracts', 'sources', 'wrappers', 'build', 'output'];

/** Maximum number of sources compiled to find codes known only by hash. */
const mostCompiled = 12;

/** A project's files and contracts. */
interface Project {
  /** The folder that file names are relative to. */
  root: string;
  contracts: readonly ProjectContract[];
}

/** Files do not change while a command runs, so each is read and compiled once. */
const projects = new Map<string, Promise<Project>>();
const compilations = new Map<string, Promise<readonly BuiltContract[]>>();

/**
 * The contracts of the project around a file: in the nearest parent folder that looks like a project root,
 * else in the file's own folder. Matches what the editor knows from its workspace, so a sheet means the same
 * in both.
 */
export function readProjectOf(file: string): Promise<readonly ProjectContract[]> {
  return projectAround(path.dirname(file));
}

/** The contracts of the project around a folder; outside a project, those in the folder itself. */
export async function projectAround(folder: string): Promise<readonly ProjectContract[]> {
  return (await projectOf(folder)).contracts;
}

/**
 * Like {@link projectAround}, for traces, which have only hashes of codes: if the build output does not
 * explain all of them, the project's Tolk sources are compiled.
 */
export async function compiledProject(
  folder: string,
  hashes: ReadonlySet<string>,
): Promise<readonly ProjectContract[]> {
  const { root, contracts } = await projectOf(folder);
  if ((await Promise.all([...hashes].map((hash) => isKnown(hash, contracts)))).every(Boolean)) {
    return contracts;
  }
  const sources = contracts.filter(({ origin }) => origin === 'Tolk source');
  const found: ProjectContract[] = [];
  for (const { name, file } of sources.slice(0, mostCompiled)) {
    const built = await compiled(path.join(root, file));
    found.push(...built.map(({ codeHash }) => builtContract(name, file, codeHash)));
  }
  return [...contracts, ...found];
}

/** Like {@link projectAround}, plus the source of a deployed contract, if the project has it. */
export async function projectWith(
  folder: string,
  { codeHash, code }: DeployedCode,
): Promise<readonly ProjectContract[]> {
  const { root, contracts } = await projectOf(folder);
  if (codeHash === undefined || code === undefined || (await isKnown(codeHash, contracts))) {
    return contracts;
  }
  const { findSource } = await import('../toolkit/build/findSource');
  const found = await findSource({ codeHash, code }, contracts, ({ file }) =>
    compiled(path.join(root, file)),
  );
  return found === undefined ? contracts : [...contracts, builtContract(found.name, found.file, codeHash)];
}

/** Whether a code is known from build output, or is a wallet's. */
async function isKnown(hash: string, contracts: readonly ProjectContract[]): Promise<boolean> {
  const { walletCodes } = await import('../toolkit/opcodes/walletCodes');
  return walletCodes.has(hash) || contracts.some(({ codeHash }) => codeHash === hash);
}

function projectOf(folder: string): Promise<Project> {
  const resolved = path.resolve(folder);
  const project = projects.get(resolved) ?? readProjectAt(resolved);
  projects.set(resolved, project);
  return project;
}

async function readProjectAt(folder: string): Promise<Project> {
  const root = await rootOf(folder);
  const { readProject } = await import('../toolkit/abi/readProject');
  const files = await (root === undefined ? readFiles(folder, usualFolders) : readFiles(root));
  return { root: root ?? folder, contracts: await readProject(files) };
}

/**
 * The contracts of a source; none if it does not compile. FunC and Tact are not compiled here, because
 * looking at an account must not run code from the folder's `node_modules`.
 */
function compiled(file: string): Promise<readonly BuiltContract[]> {
  const built = compilations.get(file) ?? compileFile(file, { isTrusted: false }).catch(() => []);
  compilations.set(file, built);
  return built;
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

/** Reads the nearest folders first, up to the maximum number of files per project. */
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
