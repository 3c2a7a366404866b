import { posix } from 'node:path';
import { toWorkbenchError } from '../../base/errors';
import { WorkBudget, limits, overLimitError } from '../../base/limits';
import type { MessageNames } from '../opcodes/decodeBody';
import { fileName } from '../../base/text';
import type { ProjectContract } from './projectContract';
import { commonFolders } from './projectContract';
import { funcWords } from './funcWords';
import type { GetMethodSignature, SignatureOrigin } from './getMethodSignature';
import type { ProjectFile } from './projectFile';
import { projectFileLimit } from './projectFile';
import type { BuildSurroundings } from './readBuilds';
import { readBuild, withKnownAges } from './readBuilds';
import { readSignatures } from './readSignatures';
import { plainSource, readSourceConstants } from './readSourceConstants';
import type { SourceErrors } from './readSourceErrors';
import { readSourceErrors, sourceErrorNames } from './readSourceErrors';
import { readSourceMessages } from './readSourceMessages';
import { readTactTexts } from './readTactSource';
import { readTlbComments } from './readTlbComments';
import { readTolkTexts } from './readTolkSource';
import type { ProjectConfigs, SourceLanguage } from './sourceLanguage';
import { definesFunc, SourceReadings, importPath, readConfigs, sourceLanguage } from './sourceLanguage';

/** How a project's imports are resolved, besides by its own `Acton.toml`. */
export interface ImportOptions {
  /**
   * The text of a source that is not among the project's files, such as one in `node_modules`, by its path; undefined
   * if there is none.
   */
  readImported?: ((path: string, from: string) => Promise<string | undefined>) | undefined;
}

const endings = /\.[a-z]+$/i;
const importLine = /^[ \t]*(?:import|#include)[ \t]+"([^"]{1,1000})"/;

/** A project while being read: its sources by path, and their parsed contents. */
interface Project {
  /** undefined for what an import names and no file is. */
  byPath: Map<string, ProjectFile | undefined>;
  /** Files of TL-B. */
  schemas: readonly ProjectFile[];
  imports: ImportOptions;
  configs: ProjectConfigs;
  readings: SourceReadings;
  onProblem: (path: string, error: unknown) => void;
  pause: () => Promise<void>;
}

/**
 * What a project's files say about its contracts: sources, compiler ABIs, Tact packages, Blueprint's build output,
 * and wrappers. Invalid files are skipped and reported to `onProblem`, as is anything omitted because of a limit.
 * Yields to other work between files, imported ones included.
 */
export async function readProject(
  files: readonly ProjectFile[],
  onProblem: (path: string, error: unknown) => void = () => {},
  pause: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve)),
  imports: ImportOptions = {},
): Promise<ProjectContract[]> {
  const project = {
    byPath: sourcesByPath(files),
    schemas: files.filter(({ path, text }) => path.endsWith('.tlb') && text.length <= limits.sourceText.most),
    imports,
    configs: await readConfigs(files),
    readings: new SourceReadings(),
    onProblem,
    pause,
  };
  const found: ProjectContract[] = [];
  const bytes = new WorkBudget('projectBytes');
  for (const file of [...files, ...(await namedBuilds(files, project))]) {
    await pause();
    try {
      const limit = projectFileLimit(file.path);
      if (file.text.length > limits[limit].most) {
        throw overLimitError(limit, { what: `The file ${file.path}` });
      }
      if (limit === 'projectFileBytes') {
        bytes.spend(file.text.length);
      }
      for (const contract of await readFile(file, project)) {
        found.push(contract);
      }
    } catch (error) {
      onProblem(file.path, toWorkbenchError(error));
    }
  }
  return withKnownAges(withoutHelpers(found, project));
}

/** A file with get-methods that a contract imports is a part of that, unless it is one itself. */
function withoutHelpers(
  found: readonly ProjectContract[],
  { byPath, readings }: Project,
): readonly ProjectContract[] {
  const isDeclared = ({ file }: ProjectContract): boolean => {
    const source = byPath.get(posix.normalize(file));
    return source !== undefined && declaredContracts(source, readings).length > 0;
  };
  const imported = new Set(
    found.flatMap((one) => (one.imports !== undefined && isDeclared(one) ? one.imports : [])),
  );
  return found.filter(
    (one) => !imported.has(one.file) || sourceLanguage(one.file) === undefined || isDeclared(one),
  );
}

/** The builds that a project names elsewhere than where builds usually are. */
async function namedBuilds(
  files: readonly ProjectFile[],
  { configs, imports }: Project,
): Promise<ProjectFile[]> {
  const known = new Set(files.map(({ path }) => path));
  const found: ProjectFile[] = [];
  const named = [
    ...configs.byArtifact.keys(),
    ...[...configs.bySource.keys()].filter((path) => path.endsWith('.boc')),
  ];
  for (const path of named.slice(0, limits.projectFiles.most)) {
    const text = known.has(path) ? undefined : await imports.readImported?.(path, '');
    if (text !== undefined) {
      found.push({ path, text });
    }
  }
  return found;
}

function buildSurroundings({ configs, byPath, onProblem }: Project): BuildSurroundings {
  return { configs, onProblem, textOf: (path) => byPath.get(path)?.text };
}

/** A code that a project is given as a `.boc`, with the source that declares its types. */
async function readGivenCode(file: ProjectFile, project: Project): Promise<ProjectContract[]> {
  const { byArtifact, bySource } = project.configs;
  const named = bySource.get(file.path) ?? byArtifact.get(file.path);
  if (named === undefined) {
    return [];
  }
  const built = await readBuild(file, buildSurroundings(project));
  const types = named.types === undefined ? undefined : project.byPath.get(named.types);
  const [declared] = types === undefined ? [] : await readSource(types, project);
  return built.map((one) => ({
    ...declared,
    ...one,
    ...(declared === undefined ? {} : { methods: declared.methods, errors: declared.errors }),
    name: named.name,
  }));
}

function sourcesByPath(files: readonly ProjectFile[]): Map<string, ProjectFile | undefined> {
  return new Map(
    files
      .filter(({ path, text }) => sourceLanguage(path) !== undefined && text.length <= limits.sourceText.most)
      .map((file) => [posix.normalize(file.path), file]),
  );
}

async function readFile(file: ProjectFile, project: Project): Promise<ProjectContract[]> {
  switch (endings.exec(file.path)?.[0].toLowerCase()) {
    case '.pkg':
    case '.abi':
    case '.json':
      return readBuild(file, buildSurroundings(project));
    case '.boc':
      return readGivenCode(file, project);
    case '.ts':
      return byContract(file, await readSignatures(file.path, file.text), project);
    case '.tlb':
    case '.toml':
      return [];
    default:
      return readSource(file, project);
  }
}

/** What a source declares besides its get-methods. */
interface SourceWords {
  imports: readonly string[];
  errors: SourceErrors;
  messages: MessageNames;
  constants: ReadonlyMap<string, bigint>;
  /** Its structs are described: by its declarations, or in FunC by TL-B comments. */
  hasLayouts: boolean;
  /** It receives messages, so that its file is a contract; not known of Tact. */
  receives: boolean;
}

/** Tests of Acton are get-methods in a file of their own. */
const actonTest = /\.test\.tolk$/;

/** Sources count with their imports: types, get-methods, error codes. */
async function readSource(file: ProjectFile, project: Project): Promise<ProjectContract[]> {
  if (actonTest.test(file.path)) {
    return [];
  }
  const imported = await importedBy(file, project);
  const language = sourceLanguage(file.path);
  // A Tact source may import functions of FunC, which declare no types.
  const texts = imported.flatMap(({ path, text }) => (sourceLanguage(path) === language ? [text] : []));
  const schemas = language === 'func' ? schemasOf(file, project) : [];
  const hasMethods = language !== 'tolk' || [file.text, ...texts].some((text) => tolkMethod.test(text));
  for (const text of hasMethods ? [file.text, ...texts] : []) {
    if (language !== undefined && !project.readings.has(language, text)) {
      await project.pause();
      await readSignatures(file.path, text, [], project.readings);
    }
  }
  await project.pause();
  const methods = hasMethods ? await readSignatures(file.path, file.text, texts, project.readings) : [];
  if (hasMethods && !file.path.endsWith('.tact')) {
    for (const { path, text } of imported) {
      if (methods.length >= limits.sourceMethods.most) {
        break;
      }
      await project.pause();
      const inherited = await readSignatures(path, text, [file.text, ...texts], project.readings);
      inherited.forEach((method) => methods.push(method));
    }
  }
  const all = [file, ...imported].map((one) => wordsOf(one, project));
  const errors = sourceErrorNames(
    all.map((words) => words.errors),
    () => reachedWords(file, texts, project),
  );
  const messages = new Map(all.flatMap((words) => [...words.messages]).reverse());
  const constants = new Map(all.flatMap((words) => [...words.constants]).reverse());
  const named = constants.size === 0 ? methods : methods.map((method) => ({ ...method, constants }));
  return byContract(file, named, project, {
    errors,
    messages,
    ...(imported.length === 0 ? {} : { imports: imported.map(({ path }) => path) }),
    ...(all.some(({ hasLayouts }) => hasLayouts) || schemas.length > 0
      ? { layoutTexts: [file.text, ...texts], schemas }
      : {}),
  });
}

/** The names in the functions that the contract can reach; undefined if that cannot be followed. */
function reachedWords(
  { path, text }: ProjectFile,
  imported: readonly string[],
  { readings }: Project,
): ReadonlySet<string> | undefined {
  switch (sourceLanguage(path)) {
    case 'tolk':
      return tolkEntry.test(text) ? readTolkTexts(text, imported, readings).uses().words : undefined;
    case 'func':
      return funcEntry.test(text) ? funcWords([text, ...imported], readings) : undefined;
    default:
      return undefined;
  }
}

function wayOfWords({ path }: ProjectFile): `words of ${SourceLanguage}` {
  return `words of ${sourceLanguage(path) ?? 'func'}`;
}

function wordsOf(file: ProjectFile, { readings }: Pick<Project, 'readings'>): SourceWords {
  const { path, text } = file;
  return readings.of(wayOfWords(file), text, () => ({
    imports: text.split('\n').flatMap((line) => importLine.exec(line)?.[1] ?? []),
    errors: readSourceErrors(text, sourceLanguage(path) ?? 'func'),
    messages: readSourceMessages(text),
    constants: readSourceConstants(text),
    hasLayouts: sourceLanguage(path) !== 'func' || funcEntry.test(text) || readTlbComments(text).length > 0,
    receives:
      sourceLanguage(path) === 'tolk'
        ? tolkEntry.test(plainSource(text))
        : definesFunc(plainSource(text), funcEntry),
  }));
}

async function importedBy(file: ProjectFile, project: Project): Promise<ProjectFile[]> {
  const seen = new Set([file]);
  // Files that its project combines it with count as those that it includes.
  for (const path of project.configs.bySource.get(file.path)?.combined ?? []) {
    const one = project.byPath.get(path);
    if (one !== undefined) {
      seen.add(one);
    }
  }
  for (const one of seen) {
    if (!project.readings.has(wayOfWords(one), one.text)) {
      await project.pause();
    }
    for (const target of wordsOf(one, project).imports) {
      const next = await importedFile(one, target, project);
      if (next !== undefined && !seen.has(next)) {
        if (seen.size > limits.importedFiles.most) {
          project.onProblem(file.path, overLimitError('importedFiles', { what: `The file ${file.path}` }));
          seen.delete(file);
          return [...seen];
        }
        seen.add(next);
      }
    }
  }
  seen.delete(file);
  return [...seen];
}

async function importedFile(
  from: ProjectFile,
  target: string,
  { byPath, imports, configs }: Project,
): Promise<ProjectFile | undefined> {
  const path = importPath(from.path, target, configs.mappings);
  if (path === undefined || sourceLanguage(path) === undefined) {
    return undefined;
  }
  if (!byPath.has(path)) {
    const text = await imports.readImported?.(path, from.path);
    byPath.set(path, text === undefined || text.length > limits.sourceText.most ? undefined : { path, text });
  }
  return byPath.get(path);
}

/** The TL-B files in the nearest folder to a source. */
function schemasOf({ path }: ProjectFile, { schemas }: Project): string[] {
  const nearest = Math.max(...schemas.map((schema) => commonFolders(schema.path, path)));
  return schemas.filter((schema) => commonFolders(schema.path, path) === nearest).map(({ text }) => text);
}

/** Tolk calls it for each message: a file that declares it is a contract, with or without get-methods. */
const tolkEntry = /\bfun\s{1,9}onInternalMessage\s{0,9}\(/;

/** Likewise in FunC. */
const funcEntry = /\brecv_internal\s{0,9}\(/;

/** What a text in Tolk has that declares get-methods. */
const tolkMethod = /\b(?:get|method_id)\b/;

/** The contracts that a source declares, with or without get-methods, if its language makes that clear. */
function declaredContracts(file: ProjectFile, readings: SourceReadings): string[] {
  switch (sourceLanguage(file.path)) {
    case 'tolk':
    case 'func':
      return wordsOf(file, { readings }).receives ? [baseName(file.path)] : [];
    case 'tact':
      return [...readTactTexts(file.text, [], readings).own.units.values()]
        .filter(({ isContract }) => isContract)
        .map(({ name }) => name);
    default:
      return [];
  }
}

const originOf = {
  tolk: 'Tolk source',
  func: 'FunC source',
  tact: 'Tact source',
} as const satisfies Record<SourceLanguage, SignatureOrigin>;

/** One entry per contract that the file declares; helper files have none. */
function byContract(
  file: ProjectFile,
  methods: readonly GetMethodSignature[],
  { configs, onProblem, readings }: Project,
  words: Pick<ProjectContract, 'errors' | 'messages' | 'layoutTexts' | 'schemas' | 'imports'> = {
    errors: new Map(),
  },
): ProjectContract[] {
  if (methods.length >= limits.sourceMethods.most) {
    onProblem(file.path, overLimitError('sourceMethods', { what: `The file ${file.path}` }));
  }
  const groups = new Map<string, GetMethodSignature[]>();
  for (const method of methods.slice(0, limits.sourceMethods.most)) {
    const name = method.contract ?? baseName(file.path);
    groups.set(name, groups.get(name) ?? []);
    groups.get(name)?.push(method);
  }
  for (const name of declaredContracts(file, readings)) {
    groups.set(name, groups.get(name) ?? []);
  }
  return [...groups].map(([name, group]) => {
    const origin = group[0]?.origin ?? originOf[sourceLanguage(file.path) ?? 'tact'];
    const called = groups.size === 1 ? configs.bySource.get(file.path)?.name : undefined;
    return {
      ...{ name, file: file.path, origin, methods: group, ...words },
      ...(called === undefined ? {} : { calledBy: called }),
    };
  });
}

function baseName(path: string): string {
  return fileName(path).replace(endings, '');
}
