import type { WorkBudget } from '../limits';
import type { Place, PlacedText } from './callSheet';

/** A line without what ends it. */
export interface Line {
  text: string;
  offset: number;
}

/** The lines of a text, whatever ends them. */
export function linesOf(text: string): Line[] {
  return [...text.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)].map((match) => ({
    text: match[1] ?? '',
    offset: match.index,
  }));
}

/**
 * The bracket that closes the one at `open`, texts in quotes skipped; or the innermost bracket or quote that is not closed.
 *
 * @param budget one for the whole sheet: every bracket that is not closed is looked for to the end of the text
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
      // The call is over: the bracket was forgotten.
      break;
    }
  }
  return { unclosed: opened.at(-1) ?? open };
}

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Where the text in quotes at `start` ends: at the same quote on the same line, behind a `\` it is a part of the text. */
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

/** The line up to a comment: `#` or `//` behind a blank, outside of quotes. An apostrophe inside a word is no quote. */
export function withoutComment(line: Line): Line {
  const { text } = line;
  // A quote that is not closed is a character like others, and so are those of its kind behind it.
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

/** `text` with every text in double quotes replaced, on one line or over several; one that is not closed stays. */
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

/** Where the trimmed text of a line stands. */
export function placeOf(line: Line, trimmed: string): Place {
  return { offset: line.offset + line.text.indexOf(trimmed), length: trimmed.length };
}

/** A part of a line. */
export function part(line: Line, start: number, text: string): PlacedText {
  return { text, offset: line.offset + start, length: text.length };
}
