import type { WorkBudget } from '../base/limits';
import type {
  CallSheetProblem,
  Comparison,
  Expectation,
  ExpectedSubject,
  MethodCall,
  PathPart,
  Place,
} from './callSheet';
import type { Line } from './sheetText';
import { closingBracket, part, placeOf } from './sheetText';

/** Words that begin a value: `cell b(…)` is not a call. */
const valueWords = ['cell', 'slice', 'builder', 'str', 'addr', 'file'];

/** `target method(`, at the beginning of a text. */
const callHead = /^(\s*)([^\s([{"']\S*)(\s+)([^\s(=!<>"']+)(\s*\()/;

/** Whether a text begins a get-method call, and not a value such as `cell b(u32 7)`. */
export function beginsCall(text: string): boolean {
  const target = callHead.exec(text)?.[2];
  return target !== undefined && !valueWords.includes(target) && !/^-?\d{1,20}$/.test(target);
}

/** A call, or the position of its unclosed parenthesis. */
export type ReadCall = { call: MethodCall } | { unclosed: number };

/**
 * Reads `target method(arguments)` from `start` in the line; the arguments may span lines.
 * @param text the whole sheet
 * @param start in the line
 * @returns undefined if no call begins there
 * @throws WorkbenchError `over-limit`
 */
export function readMethodCall(
  text: string,
  line: Line,
  start: number,
  budget: WorkBudget,
): ReadCall | undefined {
  const match = callHead.exec(line.text.slice(start));
  if (match === null) {
    return undefined;
  }
  const [whole, blank = '', target = '', gap = '', method = ''] = match;
  const open = line.offset + start + whole.length - 1;
  const { close, unclosed } = closingBracket(text, open, budget);
  if (close === undefined) {
    return { unclosed };
  }
  const at = start + blank.length;
  const offset = line.offset + at;
  return {
    call: {
      offset,
      length: close + 1 - offset,
      target: part(line, at, target),
      method: part(line, at + target.length + gap.length, method),
      arguments: { text: text.slice(open + 1, close), offset: open + 1, length: close - open - 1 },
    },
  };
}

/** An unclosed bracket or quote. */
export function unclosedProblem(text: string, offset: number): CallSheetProblem {
  const isText = /["']/.test(text.charAt(offset));
  return { offset, length: 1, message: isText ? 'This text is not closed.' : 'This bracket is not closed.' };
}

/**
 * Reads a sequence of `.name`, `.0`, and `[key]`.
 * @param bare whether a name without a dot, `count`, may begin the path
 * @returns the end of the path in `text`
 */
export function readPath(
  text: string,
  offset: number,
  budget: WorkBudget,
  bare = false,
): { path: PathPart[]; end: number; unclosed?: Place } {
  const path: PathPart[] = [];
  let end = offset;
  for (let isFirst = true; ; isFirst = false) {
    const name = bare && isFirst ? /([A-Za-z_]\w*)/y : /\.([A-Za-z_]\w*|\d{1,9})/y;
    name.lastIndex = end;
    const found = name.exec(text);
    if (found !== null) {
      const [whole, word = ''] = found;
      end += whole.length;
      path.push({ kind: 'name', at: { text: word, offset: end - word.length, length: word.length } });
    } else if (text.charAt(end) === '[' && !(bare && isFirst)) {
      const { close } = closingBracket(text, end, budget);
      if (close === undefined) {
        return { path, end, unclosed: { offset: end, length: 1 } };
      }
      path.push({
        kind: 'key',
        at: { text: text.slice(end + 1, close), offset: end + 1, length: close - end - 1 },
      });
      end = close + 1;
    } else {
      return { path, end };
    }
  }
}

/** The path as written, without a dot before the first name: `limits.perTransfer`, `guardians[bob]`. */
export function pathText(path: readonly PathPart[]): string {
  return path
    .map(({ kind, at }, index) => (kind === 'key' ? `[${at.text}]` : `${index === 0 ? '' : '.'}${at.text}`))
    .join('');
}

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

/** The most likely intention of an unreadable line. */
export function callHelp(text: string): string {
  const [, word = '', rest = ''] = /^(\S+)\s*([^]*)/.exec(text) ?? [];
  if (/^(?:expects?|assert)$/i.test(word)) {
    return `Write expect ${rest}`.trim();
  }
  const dotted = /^([\w-]+)\.([\w-]+\(.*\))$/.exec(text);
  if (dotted !== null) {
    return `Write ${dotted[1]} ${dotted[2]}`;
  }
  if (/^[\w-]+ +[\w-]+$/.test(text)) {
    return `Write ${text}()`;
  }
  return text.includes('(')
    ? 'Write a target before the method: minter get_jetton_data()'
    : 'Write target method(arguments).';
}
