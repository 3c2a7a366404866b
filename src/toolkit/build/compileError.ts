import { WorkbenchError } from '../errors';

/** Where a compiler found a mistake. Lines and columns count from 1, as compilers print them. */
export interface SourceProblem {
  path: string;
  line: number;
  column: number;
  /** Characters that it underlines. */
  length: number;
  message: string;
}

/**
 * A compiler's refusal of a source.
 * @param compiler as a person calls it
 * @param text all that the compiler printed
 */
export function compileError(
  compiler: string,
  text: string,
  problems: readonly SourceProblem[],
  cause?: unknown,
): WorkbenchError {
  const [first] = problems;
  const file = first?.path.split('/').at(-1);
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

/** `path:line:column`, the start of every compiler's remark. */
export function readPlace(text: string): Pick<SourceProblem, 'path' | 'line' | 'column'> | undefined {
  const [, path, line, column] = /^(.+):(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  return path === undefined ? undefined : { path, line: Number(line), column: Number(column) };
}
