import { getTolkCompilerVersion } from '@ton/tolk-js';
import { posix } from 'node:path';
import { sourceLanguage } from '../abi/sourceReadings';
import type { SourceLanguage } from '../abi/sourceReadings';
import { WorkbenchError } from '../errors';
import { fileName } from '../fileName';
import { compileFunc } from './compileFunc';
import type { FuncCompiler } from './compileFunc';
import { compileTact } from './compileTact';
import type { TactCompiler } from './compileTact';
import { compileTolk } from './compileTolk';
import type { TolkCompiler } from './compileTolk';
import { namingCompiler } from './compileError';
import { compilerPackages, packageVersion, projectCompiler } from './projectCompiler';
import type { BuiltContract } from './readBuiltContract';
import { textHash } from './textHash';

/** How sources are read and compiled. */
export interface CompileOptions {
  /** Returns a file's text by path, or throws. */
  read: (path: string) => string;
  /**
   * Whether compilers in the project's own `node_modules` may run. If not, only Tolk is compiled, by our
   * compiler.
   */
  isTrusted: boolean;
}

/**
 * Compiles a Tolk, FunC, or Tact source; nothing is written. Tolk is compiled by the project's own compiler,
 * else by ours; FunC and Tact only by the project's own.
 *
 * @param path the entry file's path, with forward slashes
 * @returns its contracts; only a Tact source can declare several
 * @throws WorkbenchError `compile-failed` (input) with `details.problems`: SourceProblem[]
 * @throws WorkbenchError `compiler-missing`, `compiler-unusable` (input)
 */
export async function compileSource(
  path: string,
  { read, isTrusted }: CompileOptions,
): Promise<BuiltContract[]> {
  const texts: Record<string, string> = {};
  const noted = (file: string): string => {
    const text = read(file);
    texts[file] = textHash(text, file);
    return text;
  };
  const { language, compiler } = compilerOf(path, isTrusted);
  const built = await namedErrors(path, compiler, () =>
    compileWith[language]({ path, read: noted, readConfig: read, compiler }),
  );
  return built.map((contract) => ({ ...contract, texts }));
}

/** Runs a compiler so that its errors say which one it is, and of which version. */
export async function namedErrors<Result>(
  path: string,
  compiler: unknown,
  compile: () => Promise<Result>,
): Promise<Result> {
  try {
    return await compile();
  } catch (error) {
    throw namingCompiler(error, await compilerName(path, compiler));
  }
}

/** `the project's @ton/tolk-js 0.6.0`, `TON Workbench's Tolk 1.2.0` */
async function compilerName(path: string, compiler: unknown): Promise<string> {
  if (compiler === undefined) {
    return `TON Workbench's Tolk ${await getTolkCompilerVersion()}`;
  }
  const name = compilerPackages[sourceLanguage(path) ?? 'tolk'];
  return `the project's ${name} ${packageVersion(path, name) ?? 'of an unknown version'}`;
}

/**
 * The compiler for a source: the project's own; undefined for Tolk if there is none, which ours compiles.
 * @throws WorkbenchError `compiler-missing`, `compiler-unusable` (input)
 */
export function compilerOf(
  path: string,
  isTrusted: boolean,
): { language: SourceLanguage; compiler: unknown } {
  const language = sourceLanguage(path) ?? 'tolk';
  const name = compilerPackages[language];
  const compiler = isTrusted ? projectCompiler(path, name) : undefined;
  if (compiler === undefined && language !== 'tolk') {
    throw compilerMissing(path, name, isTrusted);
  }
  return { language, compiler };
}

/** A source, and what its compiler is given. */
interface Compilation {
  path: string;
  read: CompileOptions['read'];
  /** For files that are not sources. */
  readConfig: CompileOptions['read'];
  /** The project's own; only Tolk can do without. */
  compiler: unknown;
}

const compileWith: Record<SourceLanguage, (given: Compilation) => Promise<BuiltContract[]>> = {
  tolk: async ({ path, read, compiler }) => [
    await compileTolk(path, read, compiler as TolkCompiler | undefined),
  ],
  func: async ({ path, read, compiler }) => [await compileFunc(path, read, compiler as FuncCompiler)],
  tact: ({ path, read, readConfig, compiler }) =>
    compileTact(path, read, compiler as TactCompiler, tactOptions(path, readConfig)),
};

/** The options of the project with this source, in the nearest `tact.config.json`. */
export function tactOptions(path: string, read: (path: string) => string): object {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    try {
      const config = JSON.parse(read(posix.join(folder, 'tact.config.json'))) as {
        projects?: { path: string; options?: object }[];
      };
      return config.projects?.find((one) => posix.join(folder, one.path) === path)?.options ?? {};
    } catch {
      if (folder === posix.dirname(folder)) {
        return {};
      }
    }
  }
}

function compilerMissing(path: string, name: string, isTrusted: boolean): WorkbenchError {
  const file = fileName(path);
  return new WorkbenchError({
    code: 'compiler-missing',
    kind: 'input',
    message: isTrusted
      ? `${file} is compiled by ${name}, which its project does not have.`
      : `${file} is compiled by its project's ${name}, which is not run in a workspace that is not trusted.`,
    hint: isTrusted
      ? `Run "npm install --save-dev ${name}" in the project, or give the output of its build.`
      : 'Trust the workspace, or give the output of its build.',
  });
}
