import type { WorkBudget } from '../base/limits';
import type { Place, PlacedText } from './callSheet';

/** A line without its line break. */
export interface Line {
  text: string;
  offset: number;
}

/** The lines of a text, with any kind of line break. */
export function linesOf(text: string): Line[] {
  return [...text.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)].map((match) => ({
    text: match[1] ?? '',
    offset: match.index,
  }));
}

/**
 * The bracket that closes the one at `open`, skipping quoted text; or the innermost unclosed bracket or quote.
 *
 * @param budget shared by the whole sheet: each unclosed bracket is searched for up to the end of the text
 * @throws WorkbenchError `over-limit`
 */
export function closingBracket(
  text: string,
  open: number,
  budget: WorkBudget,
): { close: number; unclosed?: undefined } | { close?: undefined; unclosed: number } {
  const opened: number[] = [];
  for (let index = open; index < text.length; index++) {
    budget.spend();
    const character = text.charAt(index);
    if (character === '"' || character === "'") {
      const end = endOfQuote(text, index);
      if (end === undefined) {
        return { unclosed: index };
      }
      index = end;
    } else if ('([{'.includes(character)) {
      opened.push(index);
    } else if (')]}'.includes(character)) {
      const last = opened.pop() ?? open;
      if (pairs[text.charAt(last)] !== character) {
        return { unclosed: last };
      }
      if (opened.length === 0) {
        return { close: index };
      }
    } else if (character === '\n' && /^\s*(?:###|expect\b)/.test(text.slice(index + 1, index + 80))) {
      // The call ends here: its closing bracket is missing.
      break;
    }
  }
  return { unclosed: opened.at(-1) ?? open };
}

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The end of the quoted text at `start`: the same quote on the same line, unless escaped by `\`. */
function endOfQuote(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let index = start + 1; index < text.length; index++) {
    if (text.charAt(index) === '\\') {
      index++;
    } else if (text.charAt(index) === quote) {
      return index;
    } else if (text.charAt(index) === '\n') {
      return undefined;
    }
  }
  return undefined;
}

/**
 * The line up to a comment: `#` or `//` after a space, outside of quotes. An apostrophe inside a word is not a quote.
 */
export function withoutComment(line: Line): Line {
  const { text } = line;
  // An unclosed quote is an ordinary character, and so are later ones of its kind.
  let open = '';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    const isQuote = character === '"' || (character === "'" && !/\w/.test(text.charAt(index - 1)));
    if (isQuote && !open.includes(character)) {
      const end = endOfQuote(text, index);
      open += end === undefined ? character : '';
      index = end ?? index;
    } else if (
      /\s/.test(character) &&
      (text.startsWith('#', index + 1) || text.startsWith('//', index + 1))
    ) {
      return { ...line, text: text.slice(0, index) };
    }
  }
  return line;
}

/**
 * The line without its comment, together with the lines that its open brackets extend to.
 *
 * @param text the whole sheet
 * @returns `unclosed`: the bracket that is never closed
 * @throws WorkbenchError `over-limit`
 */
export function wholeLine(text: string, line: Line, budget: WorkBudget): Line | { unclosed: number } {
  let end = line.offset + line.text.length;
  for (let index = line.offset; index < end; index++) {
    const character = text.charAt(index);
    if (character === '"' || (character === "'" && !/\w/.test(text.charAt(index - 1)))) {
      index = endOfQuote(text, index) ?? index;
    } else if (character in pairs) {
      const { close, unclosed } = closingBracket(text, index, budget);
      if (close === undefined) {
        return { unclosed };
      }
      index = close;
      end = close < end ? end : endOfLine(text, close);
    } else if (
      /\s/.test(character) &&
      (text.startsWith('#', index + 1) || text.startsWith('//', index + 1))
    ) {
      end = index;
    }
  }
  return { offset: line.offset, text: text.slice(line.offset, end) };
}

function endOfLine(text: string, offset: number): number {
  const lineBreak = /[\r\n]|$/g;
  lineBreak.lastIndex = offset;
  return lineBreak.exec(text)?.index ?? text.length;
}

/** `text` with all double-quoted texts replaced, on one line or several; an unclosed one is kept. */
export function replaceTexts(text: string, replacement: (quoted: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', from)) {
    let end = start + 1;
    while (end < text.length && text.charAt(end) !== '"') {
      end += text.charAt(end) === '\\' ? 2 : 1;
    }
    if (end >= text.length) {
      break;
    }
    parts.push(text.slice(from, start), replacement(text.slice(start, end + 1)));
    from = end + 1;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** The range of a line's trimmed text. */
export function placeOf(line: Line, trimmed: string): Place {
  return { offset: line.offset + line.text.indexOf(trimmed), length: trimmed.length };
}

/** A part of a line. */
export function part(line: Line, start: number, text: string): PlacedText {
  return { text, offset: line.offset + start, length: text.length };
}

/**
 * The number of the line with this offset, counted from 1.
 * @param below a line that is not above it, by its index
 */
export function lineNumberAt(lines: readonly Line[], below: number, offset: number): number {
  let index = below;
  while (index > 1 && (lines[index - 1]?.offset ?? 0) > offset) {
    index--;
  }
  return index;
}
