/** Where an answer deviates from its schema. */
export interface ShapeFailure {
  /** From the top of the answer to the field. */
  path: (string | number)[];
  expected: string;
}

/** The value for the parent, or INVALID with `run.failure` filled from the inside out. */
export type AnswerStep = (value: unknown, run: Run) => unknown;

export const INVALID = Symbol('invalid');

export interface Run {
  failure: ShapeFailure;
  /** Recursive parts (children of trace nodes) wait here instead of on the call stack: chains are thousands deep. */
  waiting: { value: unknown; step: AnswerStep }[];
  /** Everything that waits or has waited: objects made by a program may be cyclic. */
  seen: Set<object>;
  /** Salvaging: misfit items and entries of the list or map just read. */
  misfits: unknown[];
}

export const textStep: AnswerStep = (value, run) =>
  typeof value === 'string' ? value : fail(run, 'a string');
export const numberStep: AnswerStep = (value, run) =>
  Number.isFinite(value) ? value : fail(run, 'a number');
export const flagStep: AnswerStep = (value, run) =>
  typeof value === 'boolean' ? value : fail(run, 'a boolean');

export const anyText: AnswerStep = (value, run) =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : fail(run, 'a string');

export const anyNumber: AnswerStep = (value, run) => {
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) {
    return Number(value);
  }
  return Number.isFinite(value) ? value : fail(run, 'a number');
};

export function literal(values: readonly unknown[]): AnswerStep {
  const expected = values.map((value) => JSON.stringify(value)).join(' or ');
  return (value, run) => (values.includes(value) ? value : fail(run, expected));
}

export function firstThatFits(options: readonly AnswerStep[]): AnswerStep {
  return (value, run) => {
    const expectations: string[] = [];
    for (const step of options) {
      const result = step(value, run);
      if (result !== INVALID) {
        return result;
      }
      expectations.push(run.failure.expected);
      run.failure.path.length = 0;
    }
    return fail(run, expectations.join(' or '));
  };
}

export function fail(run: Run, expected: string): typeof INVALID {
  run.failure.expected = expected;
  return INVALID;
}
