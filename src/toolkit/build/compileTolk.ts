import { runTolkCompiler } from '@ton/tolk-js';
import type { WorkbenchError } from '../errors';
import { limits } from '../limits';
import { compileError, readPlace } from './compileError';
import type { SourceProblem } from './compileError';
import type { BuiltContract } from './readBuiltContract';
import { builtFrom } from './readBuiltContract';
import { tolkTypeIds } from './tolkTypeIds';

/** The interface of @ton/tolk-js, the same in all its versions. */
export interface TolkCompiler {
  runTolkCompiler(config: {
    entrypointFileName: string;
    fsReadCallback: (path: string) => string;
    withSrcLineComments?: boolean;
    withStackComments?: boolean;
  }): Promise<{ status: 'ok'; codeBoc64: string; fiftCode: string } | { status: 'error'; message: string }>;
}

/**
 * Compiles a Tolk contract; nothing is written. Our compiler is 8 MB, so import this file on demand.
 * @param path the entry file's path, with forward slashes
 * @param read returns a file's text by path, or throws
 * @param compiler the project's own, or ours
 * @throws WorkbenchError `compile-failed` (input) with `details.problems`: SourceProblem[]
 */
export async function compileTolk(
  path: string,
  read: (path: string) => string,
  compiler: TolkCompiler = { runTolkCompiler },
): Promise<BuiltContract> {
  const texts = new Map<string, string>();
  const noted = (file: string): string => {
    const text = read(file);
    texts.set(file, text);
    return text;
  };
  const compiled = await compiler.runTolkCompiler({ entrypointFileName: path, fsReadCallback: noted });
  if (compiled.status === 'error') {
    throw tolkError(compiled.message);
  }
  // The compiler reads the entry first.
  const typeIds = await tolkTypeIds([...texts.values()], compiled.fiftCode, async (entry) => {
    const [entryPath] = texts.keys();
    const probed = await compiler.runTolkCompiler({
      entrypointFileName: path,
      fsReadCallback: (file) => (file === entryPath ? entry : read(file)),
    });
    return probed.status === 'ok' ? probed.fiftCode : undefined;
  });
  return { ...builtFrom(path, compiled.codeBoc64), ...(typeIds === undefined ? {} : { typeIds }) };
}

/** The error for what the compiler printed. */
export function tolkError(text: string): WorkbenchError {
  return compileError('The Tolk compiler', text, readTolkProblems(text));
}

/** The errors in the compiler's output. */
function readTolkProblems(text: string): SourceProblem[] {
  const lines = text.slice(0, limits.compilerText.most).split('\n');
  return lines.flatMap((line, index) => {
    const mark = line.indexOf(': error: ');
    const place = readPlace(line.slice(0, Math.max(mark, 0)));
    if (place === undefined) {
      return [];
    }
    // A line of carets a few lines below marks the range.
    const marked = lines
      .slice(index, index + 8)
      .flatMap((one) => /^\s*\|\s*(\^+)/.exec(one)?.[1]?.length ?? []);
    return [{ ...place, length: marked[0] ?? 1, message: line.slice(mark + ': error: '.length) }];
  });
}
