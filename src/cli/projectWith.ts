import path from 'node:path';
import { version } from '../../package.json';
import type { ProjectContract } from '../toolkit/contracts/abi/projectContract';
import type { DeployedCode } from '../toolkit/contracts/abi/contractDescription';
import type { ProjectFile } from '../toolkit/contracts/abi/projectFile';
import { isProjectFile } from '../toolkit/contracts/abi/projectFile';
import type { CompiledCode } from '../toolkit/build/compiledCode';
import { compiledContract, sourceNumbers, withCompiled } from '../toolkit/build/compiledCode';
import { readCompiledCodes, rememberCompiledCodes } from '../toolkit/build/compiledCodesFile';
import type { BuiltContract } from '../toolkit/build/readBuiltContract';
import { readProjectFile, readProjectFiles } from '../toolkit/build/readProjectFiles';
import type { TextHashes } from '../toolkit/build/textHashes';
import { WorkbenchError } from '../toolkit/base/errors';
import { limits } from '../toolkit/base/limits';
import { writeNote } from './output';
import { compileFile, pathHere, perRun, surroundings } from './surroundings';
import { pathExists } from './writeWholeFile';

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
  /** Whether a file marks it as a project. */
  isProject: boolean;
  files: readonly ProjectFile[];
  /** What was left out because of a limit. */
  problems: readonly WorkbenchError[];
  /** What its files say. */
  read: readonly ProjectContract[];
  /** Hashes of the texts that were read, by file. */
  hashes: TextHashes;
  /** The codes that were compiled from it, now or earlier. */
  codes: readonly CompiledCode[];
  /** What its files say, and the codes compiled from them. */
  contracts: readonly ProjectContract[];
}

/** How a command treats what it has compiled. */
export interface DryRunOption {
  /** Nothing is written into the project. */
  isDry?: boolean | undefined;
}

/** Files do not change while a command runs, so each project is read once, by its root. */
const projects = perRun(() => new Map<string, Promise<Project>>());
/** Sources that the user has been told about. */
const toldChanges = perRun(() => new Set<string>());

/**
 * The contracts of the project around a file: in the nearest parent folder that looks like a project root,
 * else in the file's own folder. Matches what the editor knows from its workspace, so a sheet means the same
 * in both.
 */
export function readProjectOf(file: string): Promise<readonly ProjectContract[]> {
  return projectAround(path.dirname(file));
}

/**
 * The name that a file has in the project around it.
 * @param around names it in the project around this folder instead
 */
export async function nameInProject(file: string, around = path.dirname(file)): Promise<string> {
  return relativeTo(await projectPlace(around), file);
}

/** The contracts of the project around a folder; outside a project, those in the folder itself. */
export async function projectAround(folder: string): Promise<readonly ProjectContract[]> {
  return (await projectOf(folder)).contracts;
}

/** The files of the project around a folder, with what they say. */
export async function projectFilesAround(
  folder: string,
): Promise<Pick<Project, 'root' | 'isProject' | 'files' | 'problems' | 'contracts'>> {
  return projectOf(folder);
}

/**
 * Like {@link projectAround}, for traces, which have only hashes of codes: if what was built and compiled
 * before does not explain all of them, the project's Tolk sources are compiled.
 */
export async function compiledProject(
  folder: string,
  hashes: ReadonlySet<string>,
  { isDry }: DryRunOption = {},
): Promise<readonly ProjectContract[]> {
  const project = await projectOf(folder);
  if (!(await Promise.all([...hashes].map((hash) => isKnown(hash, project)))).every(Boolean)) {
    const sources = project.read.filter(({ origin }) => origin === 'Tolk source');
    const found: CompiledCode[] = [];
    for (const { file } of sources.slice(0, mostCompiled)) {
      found.push(...(await compiled(project, file)));
    }
    remember(project, found, { isDry });
  }
  tellChanges(project, hashes);
  return project.contracts;
}

/** Like {@link projectAround}, plus the source of a deployed contract, if the project has it. */
export async function projectWith(
  folder: string,
  { codeHash, code }: DeployedCode,
): Promise<readonly ProjectContract[]> {
  const project = await projectOf(folder);
  if (codeHash === undefined) {
    return project.contracts;
  }
  if (code !== undefined && !(await isKnown(codeHash, project))) {
    const { findSource } = await import('../toolkit/build/findSource');
    const tried: CompiledCode[] = [];
    await findSource({ codeHash, code }, project.read, async ({ file }) => {
      const codes = await compiled(project, file);
      tried.push(...codes);
      return codes;
    });
    remember(project, tried);
  }
  tellChanges(project, new Set([codeHash]));
  return project.contracts;
}

/**
 * Remembers what a source was compiled to, for later commands: those in the project around the source, and
 * those in the working folder's, if that is another one with the source inside.
 * @param built the contracts of the source, just compiled
 */
export async function rememberBuilt(
  file: string,
  built: readonly BuiltContract[],
  { isDry }: DryRunOption = {},
): Promise<void> {
  const resolved = pathHere(file);
  const places = await Promise.all(
    [path.dirname(resolved), surroundings().folder].map((one) => projectPlace(one)),
  );
  for (const root of new Set(places)) {
    const name = relativeTo(root, resolved);
    if (!name.startsWith('..') && !path.isAbsolute(name)) {
      const project = await projectOf(root);
      remember(project, compiledCodes(project, name, built), { isDry });
      if (!project.hashes.has(name)) {
        // Outside the folders that are usually searched; the next to ask reads it, too.
        projects().delete(root);
      }
    }
  }
}

/** A project is used without what cannot be kept, for example if it is read-only. */
function remember(
  project: Project,
  codes: readonly CompiledCode[],
  { isDry = false }: DryRunOption = {},
): void {
  const fresh = codes.filter((code) => !project.codes.includes(code));
  if (fresh.length === 0) {
    return;
  }
  project.codes = withCompiled(project.codes, fresh, limits.compiledCodes.most);
  project.contracts = contractsOf(project);
  if (isDry) {
    return;
  }
  try {
    rememberCompiledCodes(project.root, fresh);
  } catch {
    // The codes are compiled again when they are needed.
  }
}

function contractsOf({ read, codes, hashes }: Pick<Project, 'read' | 'codes' | 'hashes'>): ProjectContract[] {
  return [...read, ...codes.map((code) => compiledContract(code, hashes))];
}

function tellChanges({ root, contracts }: Project, hashes: ReadonlySet<string>): void {
  for (const { name, file: built, source: file = built, codeHash = '', hasChanged } of contracts) {
    const key = path.join(root, file);
    if (hasChanged === true && hashes.has(codeHash) && !toldChanges().has(key)) {
      toldChanges().add(key);
      writeNote(
        `${file} has changed since the code of ${name} was compiled; get-methods and fields have the names in the file now.`,
      );
    }
  }
}

/** Whether a code is known from build output, or is a wallet's. */
async function isKnown(hash: string, { contracts, hashes }: Project): Promise<boolean> {
  const [{ walletCodes }, { isIdentified }] = await Promise.all([
    import('../toolkit/contracts/opcodes/walletCodes'),
    import('../toolkit/contracts/abi/projectContract'),
  ]);
  return walletCodes.has(hash) || isIdentified(contracts, hash, (file) => hashes.has(file));
}

/** Where the project around a folder is: its root; outside a project, the folder itself. */
export async function projectPlace(folder: string): Promise<string> {
  const resolved = pathHere(folder);
  return (await rootOf(resolved)) ?? resolved;
}

async function projectOf(folder: string): Promise<Project> {
  const place = await projectPlace(folder);
  const project = projects().get(place) ?? readProjectAt(place);
  projects().set(place, project);
  return project;
}

async function readProjectAt(root: string): Promise<Project> {
  const { root: inside } = surroundings();
  const isProject = await isRoot(root);
  const [{ readProject }, { sourceLanguage }, { TextHashes }] = await Promise.all([
    import('../toolkit/contracts/abi/readProject'),
    import('../toolkit/contracts/abi/sourceLanguage'),
    import('../toolkit/build/textHashes'),
  ]);
  const codes = readCompiledCodes(root);
  const { files, problems } = await readProjectFiles(root, isProject ? undefined : usualFolders);
  const seen = new Set(files.map((file) => file.path));
  // What was compiled from elsewhere still names its source.
  const others = new Set(
    codes.flatMap(({ file, texts = {} }) => (seen.has(file) ? [] : [file, ...Object.keys(texts)])),
  );
  for (const name of others) {
    if (isProjectFile(name) && !seen.has(name) && files.length < limits.projectFiles.most) {
      // Anyone can put a file with names into a folder, and a link to which one of them leads.
      files.push(...readProjectFile(root, name, { inside: root }));
    }
  }
  const sources = files.filter((file) => sourceLanguage(file.path) !== undefined);
  const hashes = new TextHashes(new Map(sources.map((file) => [file.path, file.text])));
  const onProblem = (_: string, error: unknown): void => {
    if (WorkbenchError.is(error, 'over-limit')) {
      problems.push(error);
    }
  };
  const read = await readProject(files, onProblem, undefined, {
    readImported: (name) => Promise.resolve(readProjectFile(root, name, { inside })[0]?.text),
  });
  problems.forEach(({ message }) => writeNote(`Not all of the project is known. ${message}`));
  const contracts = contractsOf({ read, codes, hashes });
  return { root, isProject, files, read, problems, hashes, codes, contracts };
}

/**
 * The contracts of a source; none if it does not compile. FunC and Tact are not compiled here, because
 * looking at an account must not run code from the folder's `node_modules`. A text whose code is known is not
 * compiled again.
 */
async function compiled(project: Project, file: string): Promise<CompiledCode[]> {
  const { root, codes, hashes } = project;
  const known = codes.filter(
    ({ file: from, by, texts = {} }) =>
      from === file &&
      by === version &&
      Object.entries(texts).every(([text, hash]) => hashes.get(text) === hash),
  );
  if (known.length > 0) {
    return known;
  }
  const built = await compileFile(path.join(root, file), { isTrusted: false }).catch(() => []);
  return compiledCodes(project, file, built).map((code) => ({ ...code, by: version }));
}

/** @param file relative to the root */
function compiledCodes(
  { root, read, hashes }: Project,
  file: string,
  built: readonly BuiltContract[],
): CompiledCode[] {
  return built.map(({ codeHash, name, texts = {}, typeIds }) => {
    const own = Object.entries(texts).map(([text, hash]) => [relativeTo(root, text), hash]);
    const code = { codeHash, file, name, texts: Object.fromEntries(own) as Record<string, string> };
    return { ...code, names: sourceNumbers(code, read, hashes), ...(typeIds && { typeIds }) };
  });
}

function relativeTo(root: string, file: string): string {
  return path.relative(root, path.normalize(file)).replaceAll('\\', '/');
}

async function rootOf(folder: string): Promise<string | undefined> {
  const { root } = surroundings();
  for (let one = folder; ; one = path.dirname(one)) {
    if (await isRoot(one)) {
      return one;
    }
    if (path.dirname(one) === one || one === root) {
      return undefined;
    }
  }
}

async function isRoot(folder: string): Promise<boolean> {
  return (await Promise.all(rootFiles.map((name) => pathExists(path.join(folder, name))))).includes(true);
}
