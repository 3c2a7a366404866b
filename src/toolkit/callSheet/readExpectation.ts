import type { CallSheetProblem, Comparison, Expectation } from './callSheet';
import { part, placeOf } from './sheetText';
import type { Line } from './sheetText';

const comparisons: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];

/** Operators of other languages. */
const meant: Readonly<Record<string, Comparison>> = {
  '=': '==',
  '===': '==',
  '!==': '!=',
  '<>': '!=',
  '=<': '<=',
  '=>': '>=',
};

/** An `expect` line without its comment, or its error. */
export function readExpectation(line: Line): Expectation | CallSheetProblem {
  const place = placeOf(line, line.text.trim());
  const [, before = '', subject = '', gap = '', comparison = '', blank = '', value = ''] =
    /^(\s*expect\s*)([^\s=!<>]*)(\s*)([=!<>]*)(\s*)([^]*)/.exec(line.text.trimEnd()) ?? [];
  const isCount = subject === 'exit' || subject === 'gas';
  if (!isCount && !/^\d+(?:\.\d+)*$/.test(subject)) {
    return subject === ''
      ? notWhole(place)
      : {
          ...part(line, before.length, subject),
          message: `A result has no “${subject}”.`,
          suggestion:
            'Expect exit, gas, or an entry by its number: expect 0 == 42, expect 1.0 == 42 inside a tuple.',
        };
  }
  const start = before.length + subject.length + gap.length;
  if (comparison !== '' && !comparisons.includes(comparison)) {
    const other = meant[comparison];
    return {
      ...part(line, start, comparison),
      message: `“${comparison}” is not a comparison.`,
      suggestion: other === undefined ? `Use one of ${comparisons.join(' ')}.` : `Write ${other}.`,
    };
  }
  if (value === '' || (comparison === '' && !isCount)) {
    return notWhole(place);
  }
  return {
    ...place,
    subject: isCount ? { kind: subject } : { kind: 'entry', path: subject.split('.').map(Number) },
    comparison: comparison === '' ? '==' : (comparison as Comparison),
    value: part(line, start + comparison.length + blank.length, value),
  };
}

function notWhole(place: Pick<CallSheetProblem, 'offset' | 'length'>): CallSheetProblem {
  return {
    ...place,
    message: 'This expectation is incomplete.',
    suggestion: 'Write expect exit 0, expect gas < 5000 or expect 0 == 42.',
  };
}
