import type * as z from 'zod';

const typeWords: Readonly<Record<string, string>> = {
  string: 'must be text in quotes',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/** What is wrong with a value. */
export interface ShapeProblem {
  /** Where in the value: `data.amount`; empty for the value as a whole. */
  path: string;
  /** As they follow the name of what is there: `is missing`, `must be a number`. */
  words: string;
}

/** The value as the schema reads it, or the first problem, in the schema's own words if it has some. */
export function checkShape<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { data: T; problem?: undefined } | { data?: undefined; problem: ShapeProblem } {
  const { success, data, error } = schema.safeParse(value, { error: issueWords });
  if (success) {
    return { data };
  }
  const [issue] = error.issues;
  return {
    problem: {
      path: issue?.path.join('.') ?? '',
      words: issue?.message ?? 'does not have the expected form',
    },
  };
}

function issueWords(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) {
    return 'is missing';
  }
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? `must be of the type ${issue.expected}`;
    case 'unrecognized_keys':
      return `has the unknown field${issue.keys.length === 1 ? '' : 's'} ${issue.keys.map((key) => JSON.stringify(key.slice(0, 100))).join(' and ')}`;
    case 'too_small':
    case 'too_big':
      return sizeWords(issue);
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    default:
      return 'does not have the expected form';
  }
}

function sizeWords(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig>): string {
  const [bound, limit] =
    issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum];
  switch (issue.origin) {
    case 'string':
      return issue.code === 'too_small' && limit === 1
        ? 'must not be empty'
        : `must have ${bound} ${limit} characters`;
    case 'array':
      return `must have ${bound} ${limit} entries`;
    default:
      return `must be ${bound} ${limit}`;
  }
}
