import { getTolkCompilerVersion } from '@ton/tolk-js';
import { posix } from 'node:path';
import { plainSource } from '../contracts/abi/readSourceConstants';
import type { SourceLanguage } from '../contracts/abi/sourceLanguage';
import { sourceLanguage } from '../contracts/abi/sourceLanguage';
import { WorkbenchError } from '../base/errors';
import { combinedTargets } from '../project/combinedTargets';
import type { Compilation, ProjectDescription, ProjectFolder } from '../project/projectDescription';
import { compilationOf, tactImports } from '../project/projectDescription';
import { describeProject } from '../project/describeProject';
import { fileName, visibleText } from '../base/text';
import { combinedFuncError } from './combinedFuncError';
import { namingCompiler } from './compileError';
import type { FuncCompiler } from './mapTact';
import { compileFunc } from './mapTact';
import type { TactCompiler } from './compileTact';
import { compileTact } from './compileTact';
import type { TolkCompiler } from './compileTolk';
import { compileTolk } from './compileTolk';
import { compilerPackages, dependencyAround, packageVersion, projectCompiler } from './projectCompiler';
import { builtBefore, provenBuild } from './readBuiltContract';
import type { BuiltContract } from './readBuiltContract';
import { textHash } from './textHashes';

/** How sources are read and compiled. */
export interface CompileOptions {
  /** Returns a file's text by path, or throws. */
  read: (path: string) => string;
  /** What is in a folder, those that are folders with `/` at the end; without it, Blueprint's build files are not read. */
  list?: ((folder: string) => readonly string[]) | undefined;
  /**
   * Whether compilers in the project's own `node_modules` may run. If not, only Tolk is compiled, by our
   * compiler.
   */
  isTrusted: boolean;
}

/**
 * Compiles a Tolk, FunC, or Tact source as its project builds it; nothing is written. Tolk is compiled by the project's own
 * compiler, else by ours; FunC and Tact only by the project's own.
 *
 * @param path the entry file's path, with forward slashes
 * @returns its contracts; only a Tact source can declare several
 * @throws WorkbenchError `compile-failed` (input) with `details.problems`: SourceProblem[]
 * @throws WorkbenchError `compiler-missing`, `compiler-unusable` (input)
 */
export async function compileSource(path: string, options: CompileOptions): Promise<BuiltContract[]> {
  const { read } = options;
  const texts: Record<string, string> = {};
  const seen: string[] = [];
  const noted = (file: string): string => {
    const text = read(file);
    seen.push(text);
    texts[file] = textHash(text, file);
    return text;
  };
  const build = projectBuild(path, options);
  const { compiler } = build;
  const built = await namedErrors(
    build,
    () => seen,
    (entry) => compileWith[build.language]({ ...build, entry, read: noted }),
  ).catch((error: unknown) => {
    if (build.language === 'func' && build.compilation.as === undefined) {
      throw combinedFuncError(error, path, build.project, { read, list: options.list ?? (() => []) });
    }
    const proven = WorkbenchError.is(error, 'compiler-too-old') && provenBuild(path, build.project, read);
    if (!proven) {
      throw error;
    }
    return [proven];
  });
  const { compilation } = build;
  const compiledBy = [
    await compilerName(path, compiler),
    ...(compilation.as === undefined ? [] : [compilation.as]),
  ].join(', ');
  return built.map((contract) => ({ compiledBy, ...contract, texts, notes: compilation.notes }));
}

/** How a source is compiled: by which compiler, and what that is given. */
export interface ProjectBuild {
  path: string;
  language: SourceLanguage;
  /** The project's own; undefined for Tolk if there is none, which ours compiles. */
  compiler: unknown;
  compilation: Compilation;
  project: ProjectDescription;
  read: ProjectFolder['read'];
  list: ProjectFolder['list'];
}

/**
 * How a source's project builds it; the one answer for code and for lines.
 * @throws WorkbenchError `compiler-missing`, `compiler-unusable` (input)
 */
export function projectBuild(path: string, { read, list: given, isTrusted }: CompileOptions): ProjectBuild {
  const list = given ?? (() => []);
  const project = describeProject(path, { read, list });
  return {
    ...compilerOf(path, isTrusted),
    ...{ path, project, read, list },
    compilation: compilationOf(path, project, read),
  };
}

/**
 * A FunC source that does not compile alone, as a script of its project combines it with other files;
 * undefined if none does.
 */
function combinedAs({
  path,
  language,
  compilation,
  project: { root },
  read,
  list,
}: ProjectBuild): Compilation | undefined {
  if (language !== 'func' || compilation.as !== undefined) {
    return undefined;
  }
  const found = combinedTargets(path, root, { read, list });
  if (found === undefined) {
    return undefined;
  }
  const { targets, describedIn, differing } = found;
  const [name, ...others] = [describedIn, ...differing].map((one) => posix.relative(root, one));
  return {
    ...compilation,
    targets,
    as: `combined as in ${name}`,
    notes:
      others.length === 0
        ? compilation.notes
        : [
            ...compilation.notes,
            `${fileName(path)} is also combined with other files, in ${others.join(', ')}; here it is built as in ${name}.`,
          ],
  };
}

/**
 * Runs a compiler on the file that the project gives it: for Tact, the one that imports the source. Its errors say which
 * compiler it is, and of which version; one that is too old for the source is told as such.
 *
 * @param texts what was read meanwhile
 * @throws what `compile` throws
 */
export async function namedErrors<Result>(
  build: ProjectBuild,
  texts: () => readonly string[],
  compile: (entry: string) => Promise<Result>,
): Promise<Result> {
  const { path, language, compiler, project, read } = build;
  const { targets } = build.compilation;
  const entry = targets.includes(path) ? path : (targets[0] ?? path);
  try {
    return await compile(entry).catch((error: unknown) => {
      // What the entry imports besides may be what is wrong; the source itself is all that was asked for.
      const isRefused = WorkbenchError.is(error, 'compile-failed');
      const combined = isRefused ? combinedAs(build) : undefined;
      if (!isRefused || (entry === path && combined === undefined)) {
        throw error;
      }
      build.compilation = combined ?? build.compilation;
      return compile(path);
    });
  } catch (error) {
    const name = await compilerName(path, compiler);
    const version = language === 'tolk' ? await compilerVersion(path, compiler) : undefined;
    const told = newerTolkError(error, texts(), { path, version, compiler: name, project, read });
    const wanted =
      language === 'tolk' && compiler === undefined
        ? dependencyAround(path, compilerPackages.tolk)
        : undefined;
    const otherwise =
      wanted === undefined
        ? project.problems[0]?.error.message
        : `package.json asks for ${compilerPackages.tolk} ${visibleText(wanted, 40)}, which is not installed. Run "npm install".`;
    throw namingCompiler(told, name, otherwise);
  }
}

/** `the project's @ton/tolk-js 0.6.0`, `TON Workbench's Tolk 1.2.0` */
async function compilerName(path: string, compiler: unknown): Promise<string> {
  const version = await compilerVersion(path, compiler);
  const name = compilerPackages[sourceLanguage(path) ?? 'tolk'];
  return compiler === undefined
    ? `TON Workbench's Tolk ${version}`
    : `the project's ${name} ${version ?? 'of an unknown version'}`;
}

async function compilerVersion(path: string, compiler: unknown): Promise<string | undefined> {
  return compiler === undefined
    ? getTolkCompilerVersion()
    : packageVersion(path, compilerPackages[sourceLanguage(path) ?? 'tolk']);
}

/**
 * The compiler for a source: the project's own; undefined for Tolk if there is none, which ours compiles.
 * @throws WorkbenchError `compiler-missing`, `compiler-unusable` (input)
 */
function compilerOf(path: string, isTrusted: boolean): { language: SourceLanguage; compiler: unknown } {
  const language = sourceLanguage(path) ?? 'tolk';
  const name = compilerPackages[language];
  const compiler = isTrusted ? projectCompiler(path, name) : undefined;
  if (compiler === undefined && language !== 'tolk') {
    throw compilerMissing(path, name, isTrusted);
  }
  return { language, compiler };
}

/** A source, and what its compiler is given. */
interface CompilerInput extends ProjectBuild {
  /** The file that the compiler starts with. */
  entry: string;
  read: CompileOptions['read'];
}

const compileWith: Record<SourceLanguage, (given: CompilerInput) => Promise<BuiltContract[]>> = {
  tolk: async ({ path, read, compiler, compilation }) => [
    await compileTolk(path, read, compiler as TolkCompiler | undefined, compilation),
  ],
  func: async ({ path, read, compiler, compilation }) => [
    await compileFunc(path, read, compiler as FuncCompiler, compilation),
  ],
  tact: async ({ path, entry, read, compiler, compilation, project }) => {
    const input = { path: entry, read, options: compilation.options.tact, root: project.root };
    const built = await compileTact(input, compiler as TactCompiler);
    return entry === path ? built : built.filter(({ name }) => declaresTact(path, name, read));
  },
};

/** Whether a Tact contract is declared in a source, or in one that it imports. */
function declaresTact(path: string, name: string, read: CompileOptions['read']): boolean {
  return [...tactImports(path, read)].some((file) =>
    [...read(file).matchAll(/\bcontract\s{1,40}(\w{1,200})/g)].some(([, declared]) => declared === name),
  );
}

function compilerMissing(path: string, name: string, isTrusted: boolean): WorkbenchError {
  const file = fileName(path);
  const wanted = isTrusted ? dependencyAround(path, name) : undefined;
  return new WorkbenchError({
    code: 'compiler-missing',
    kind: 'input',
    message: isTrusted
      ? wanted === undefined
        ? `${file} is compiled by ${name}, which its project does not have.`
        : `${file} is compiled by ${name} ${visibleText(wanted, 40)}, which package.json asks for and which is not installed.`
      : `${file} is compiled by its project's ${name}, which is not run in a workspace that is not trusted.`,
    hint: isTrusted
      ? `Run "npm install${wanted === undefined ? ` --save-dev ${name}` : ''}" in the project, or give the output of its build.`
      : 'Trust the workspace, or give the output of its build.',
  });
}

/** What only newer versions of Tolk know, newest first. */
const newer = [
  {
    version: [1, 4],
    has: (text: string): boolean =>
      /^ ?contract \w+ ?\{/m.test(text) ||
      /@abi\.\w/.test(text) ||
      (/(?<![.\w])(?:grams|reserveGramsOnBalance)\(/.test(text) &&
        !/\bfun (?:grams|reserveGramsOnBalance)\b/.test(text)),
  },
] as const;

/** What is known where a Tolk source does not compile. */
interface FailedTolk {
  path: string;
  /** Of the compiler. */
  version: string | undefined;
  /** The compiler, for the user: `the project's @ton/tolk-js 1.1.0`. */
  compiler: string;
  project: ProjectDescription;
  read: ProjectFolder['read'];
}

/**
 * The error for a source that its compiler is too old for: one sentence that says so, and what to do. There is nothing wrong
 * with the line at which the compiler stopped.
 *
 * @param texts all that the compiler has read
 * @returns the compiler's own error if it is new enough
 */
function newerTolkError(cause: unknown, texts: readonly string[], failed: FailedTolk): unknown {
  if (!WorkbenchError.is(cause, 'compile-failed') || cause.kind !== 'input') {
    return cause;
  }
  const [major = 0, minor = 0] = (failed.version ?? '').split('.').map(Number);
  const plain = texts.map(plainSource);
  const needed = newer.find(
    ({ version: [most, least], has }) =>
      (major < most || (major === most && minor < least)) && plain.some(has),
  );
  if (failed.version === undefined || needed === undefined) {
    return cause;
  }
  const version = needed.version.join('.');
  return new WorkbenchError({
    code: 'compiler-too-old',
    kind: 'input',
    message: `${fileName(failed.path)} is written in Tolk ${version}, and was given to ${failed.compiler}: this project has no compiler for it.`,
    hint: [...pinned(failed, version), ...builtBefore(failed.path, failed.project, failed.read)].join(' '),
    cause,
  });
}

function pinned({ project, read }: FailedTolk, version: string): string[] {
  const asked = askedFor(`${project.root}/package.json`, read);
  return [
    asked === undefined
      ? `Install Acton, or @ton/tolk-js ${version} in the project.`
      : `Its package.json asks for @ton/tolk-js ${asked}: run "npm install", or install Acton.`,
  ];
}

function askedFor(file: string, read: ProjectFolder['read']): string | undefined {
  try {
    const { dependencies, devDependencies } = JSON.parse(read(file)) as Record<
      string,
      Record<string, unknown> | undefined
    >;
    const found = devDependencies?.['@ton/tolk-js'] ?? dependencies?.['@ton/tolk-js'];
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}
