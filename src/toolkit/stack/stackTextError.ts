import { WorkbenchError } from '../errors';

/** Where in the text and what is wrong there. */
export interface StackTextProblem {
  /** Index of the first wrong character, in UTF-16 code units. */
  offset: number;
  /** How many code units are wrong; 0 at the end of the text. */
  length: number;
  /** What is wrong: a clause without a full stop, in lower case. */
  message: string;
  /** What would have been right there, for a completion list. */
  expected?: readonly string[] | undefined;
  /** What to write instead: a clause without a full stop. */
  suggestion?: string | undefined;
}

/** The text is no stack: `stack-text-invalid`, with `details.offset`, `length`, `expected`, `suggestion` and `reason`. */
export function stackTextError(problem: StackTextProblem): WorkbenchError {
  const { offset, length, message, expected, suggestion } = problem;
  return new WorkbenchError({
    code: 'stack-text-invalid',
    kind: 'input',
    message: sentence(message),
    hint:
      suggestion === undefined ? undefined : `${suggestion.charAt(0).toUpperCase()}${suggestion.slice(1)}.`,
    details: { offset, length, reason: message, expected: expected ?? [], suggestion },
  });
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}
