import type { WorkBudget } from '../limits';
import type { CallSheetProblem, MethodCall, PathPart, Place } from './callSheet';
import { closingBracket, part } from './sheetText';
import type { Line } from './sheetText';

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
