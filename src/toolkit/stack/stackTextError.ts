import { WorkbenchError } from '../errors';

/** The position of an error in the text, and the problem. */
export interface StackTextProblem {
  /** Index of the first wrong character, in UTF-16 code units. */
  offset: number;
  /** Number of wrong code units; 0 at the end of the text. */
  length: number;
  /** The problem: a clause in lowercase, without a period. */
  message: string;
  /** What would have been valid there, for completions. */
  expected?: readonly string[] | undefined;
  /** What to write instead: a clause without a period, or a question. */
  suggestion?: string | undefined;
}

/**
 * The text is not a stack: `stack-text-invalid`, with `details.offset`, `length`, `expected`, `suggestion`, and
 * `reason`.
 */
export function stackTextError(problem: StackTextProblem): WorkbenchError {
  const { offset, length, message, expected, suggestion } = problem;
  return new WorkbenchError({
    code: 'stack-text-invalid',
    kind: 'input',
    message: sentence(message),
    hint: suggestion === undefined ? undefined : sentence(suggestion, /\?$/.test(suggestion) ? '' : '.'),
    details: { offset, length, reason: message, expected: expected ?? [], suggestion },
  });
}

function sentence(clause: string, end = '.'): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${end}`;
}
