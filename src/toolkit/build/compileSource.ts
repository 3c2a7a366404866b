import { posix } from 'node:path';
import { sourceLanguage } from '../abi/sourceReadings';
import { WorkbenchError } from '../errors';
import { compileFunc } from './compileFunc';
import type { FuncCompiler } from './compileFunc';
import { compileTact } from './compileTact';
import type { TactCompiler } from './compileTact';
import { compileTolk } from './compileTolk';
import type { TolkCompiler } from './compileTolk';
import { compilerPackages, projectCompiler } from './projectCompiler';
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
    texts[file] = textHash(text);
    return text;
  };
  const own = (name: string): unknown => (isTrusted ? projectCompiler(path, name) : undefined);
  const needed = (name: string): unknown => {
    const compiler = own(name);
    if (compiler === undefined) {
      throw compilerMissing(path, name, isTrusted);
    }
    return compiler;
  };
  const built = await (async (): Promise<BuiltContract[]> => {
    switch (sourceLanguage(path)) {
      case 'func':
        return [await compileFunc(path, noted, needed(compilerPackages.func) as FuncCompiler)];
      case 'tact': {
        const compiler = needed(compilerPackages.tact) as TactCompiler;
        return compileTact(path, noted, compiler, tactOptions(path, read));
      }
      default:
        return [await compileTolk(path, noted, own(compilerPackages.tolk) as TolkCompiler | undefined)];
    }
  })();
  return built.map((contract) => ({ ...contract, texts }));
}

/** The options of the project with this source, in the nearest `tact.config.json`. */
function tactOptions(path: string, read: (path: string) => string): object {
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
  const file = posix.basename(path);
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
