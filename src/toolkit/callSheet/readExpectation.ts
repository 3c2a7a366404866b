import type { WorkBudget } from '../limits';
import type { CallSheetProblem, Comparison, Expectation, ExpectedSubject, Place } from './callSheet';
import { beginsCall, readMethodCall, readPath, unclosedProblem } from './readMethodCall';
import { part, placeOf } from './sheetText';
import type { Line } from './sheetText';

const comparisons: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];

/** Operators of other languages, and what they stand for here. */
const meant: Readonly<Record<string, Comparison>> = {
  '=': '==',
  '===': '==',
  '!==': '!=',
  '<>': '!=',
  '=<': '<=',
  '=>': '>=',
};

/** A subject and the offset behind it, in the sheet. */
interface ReadSubject {
  subject: ExpectedSubject;
  end: number;
}

/**
 * Reads an `expect` line without its comment, or returns its error.
 * @param text the whole sheet: the parentheses of a call may span lines
 * @throws WorkbenchError `over-limit`
 */
export function readExpectation(
  text: string,
  line: Line,
  budget: WorkBudget,
): Expectation | CallSheetProblem {
  const place = placeOf(line, line.text.trim());
  const start = /^\s*expect\s*/.exec(line.text)?.[0].length ?? 0;
  const read = readSubject(text, line, start, budget);
  if (read === undefined) {
    return notWhole(place);
  }
  if ('message' in read) {
    return read;
  }
  const { subject, end } = read;
  const rest = line.text.slice(end - line.offset).trimEnd();
  const [, gap = '', comparison = '', blank = '', value = ''] = /^(\s*)([=!<>]*)(\s*)([^]*)/.exec(rest) ?? [];
  const at = end + gap.length;
  if (subject.kind === 'fails') {
    const extra = comparison + blank + value;
    return extra === ''
      ? { ...place, subject, comparison: '==', value: { text: '', offset: end, length: 0 } }
      : {
          offset: at,
          length: extra.length,
          message: 'Nothing follows expect fails.',
          suggestion: 'Write expect exit 101 to name the exit code.',
        };
  }
  if (comparison !== '' && !comparisons.includes(comparison)) {
    const other = meant[comparison];
    return {
      offset: at,
      length: comparison.length,
      message: `“${comparison}” is not a comparison.`,
      suggestion: other === undefined ? `Use one of ${comparisons.join(' ')}.` : `Write ${other}.`,
    };
  }
  const isCount = subject.kind === 'exit' || subject.kind === 'gas';
  if (value === '' || (comparison === '' && !isCount)) {
    return notWhole(place);
  }
  return {
    ...place,
    subject,
    comparison: comparison === '' ? '==' : (comparison as Comparison),
    value: { text: value, offset: at + comparison.length + blank.length, length: value.length },
  };
}

function readSubject(
  text: string,
  line: Line,
  start: number,
  budget: WorkBudget,
): ReadSubject | CallSheetProblem | undefined {
  const rest = line.text.slice(start);
  if (beginsCall(rest)) {
    return readAnswer(text, line, start, budget);
  }
  const word = /^[^\s=!<>]*/.exec(rest)?.[0] ?? '';
  const end = line.offset + start + word.length;
  if (word === '') {
    return undefined;
  }
  if (
    word === 'exit' ||
    word === 'gas' ||
    (word === 'fails' && !/^\s*[=!<>]/.test(rest.slice(word.length)))
  ) {
    return { subject: { kind: word }, end };
  }
  if (/^\d+(?:\.\d+)*$/.test(word)) {
    return { subject: { kind: 'entry', path: word.split('.').map(Number) }, end };
  }
  const field = readPath(line.text, start, budget, true);
  if (
    field.path.length > 0 &&
    field.unclosed === undefined &&
    /^(?:$|[\s=!<>])/.test(line.text.slice(field.end))
  ) {
    const path = field.path.map(({ kind, at }) => ({ kind, at: { ...at, offset: at.offset + line.offset } }));
    return { subject: { kind: 'field', path }, end: line.offset + field.end };
  }
  return {
    ...part(line, start, word),
    message: `A result has no “${word}”.`,
    suggestion:
      'Expect exit, gas, a field by its name, or an entry by its number: expect count == 42, expect 0 == 42, expect 1.0 == 42 inside a tuple.',
  };
}

function readAnswer(
  text: string,
  line: Line,
  start: number,
  budget: WorkBudget,
): ReadSubject | CallSheetProblem | undefined {
  const read = readMethodCall(text, line, start, budget);
  if (read === undefined) {
    return undefined;
  }
  if ('unclosed' in read) {
    return unclosedProblem(text, read.unclosed);
  }
  const { path, end, unclosed } = readPath(text, read.call.offset + read.call.length, budget);
  if (unclosed !== undefined) {
    return unclosedProblem(text, unclosed.offset);
  }
  return { subject: { kind: 'answer', call: read.call, path }, end };
}

function notWhole(place: Place): CallSheetProblem {
  return {
    ...place,
    message: 'This expectation is incomplete.',
    suggestion: 'Write expect exit 0, expect gas < 5000, expect 0 == 42 or expect counter value() == 42.',
  };
}
