import type { WorkbenchError } from '../errors';
import { limits } from '../limits';
import { compileError, readPlace } from './compileError';
import type { SourceProblem } from './compileError';

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
