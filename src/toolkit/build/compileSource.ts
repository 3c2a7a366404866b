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
  /** Gives the text of a file by its path, or throws. */
  read: (path: string) => string;
  /** Compilers in the project's own `node_modules` may be run. Without, only Tolk is compiled, by ours. */
  isTrusted: boolean;
}

/**
 * Compiles a source in Tolk, FunC or Tact; nothing is written. Tolk is compiled by the project's own compiler, else by
 * ours; FunC and Tact only by the project's own.
 *
 * @param path of the entry file, with slashes
 * @returns its contracts: one, or as many as a source in Tact declares
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

/** Options of the project in the nearest `tact.config.json` whose source this is. */
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
