import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import { fileName } from '../base/text';

/** An error reported by a compiler. Lines and columns count from 1, as compilers print them. */
export interface SourceProblem {
  path: string;
  line: number;
  column: number;
  /** Number of underlined characters. */
  length: number;
  message: string;
}

/**
 * The error for a source that a compiler rejects.
 * @param compiler its name for the user
 * @param text everything the compiler printed
 */
export function compileError(
  compiler: string,
  text: string,
  problems: readonly SourceProblem[],
  cause?: unknown,
): WorkbenchError {
  const [first] = problems;
  const file = first && fileName(first.path);
  return new WorkbenchError({
    code: 'compile-failed',
    kind: 'input',
    message:
      first === undefined
        ? `${compiler} rejected it: ${text.trim().split('\n')[0] ?? ''}`
        : `${file} does not compile: line ${first.line}, ${first.message}.`,
    details: { problems },
    cause,
  });
}

/**
 * The error of a compiler with which one it was: the same source may be right for another version.
 * @param compiler its name and version: `the project's @ton/tolk-js 0.6.0`
 * @param otherwise what is wrong with the project's own files, which may be the reason
 */
export function namingCompiler(error: unknown, compiler: string, otherwise?: string): unknown {
  if (!WorkbenchError.is(error, 'compile-failed') || error.kind !== 'input') {
    return error;
  }
  const { code, kind, message, hint, details } = error;
  const named = `${message.replace(/\.$/, '')} (${compiler}).`;
  return new WorkbenchError({
    code,
    kind,
    message: named,
    hint: hint ?? otherwise,
    details,
    cause: error.cause,
  });
}

/** Reads `path:line:column`, with which every compiler message begins. */
export function readPlace(text: string): Pick<SourceProblem, 'path' | 'line' | 'column'> | undefined {
  const [, path, line, column] = /^(.+):(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  return path === undefined ? undefined : { path, line: Number(line), column: Number(column) };
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
    const at = line.slice(0, Math.max(mark, 0));
    // Some errors have a line only.
    const place = readPlace(at) ?? readPlace(`${at}:1`);
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
