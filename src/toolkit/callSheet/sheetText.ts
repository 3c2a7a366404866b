import type { Place, PlacedText } from './callSheet';

/** A line without what ends it. */
export interface Line {
  text: string;
  offset: number;
}

/** The lines of a text, whatever ends them. */
export function linesOf(text: string): Line[] {
  return [...text.matchAll(/[^\r\n]*(?:\r\n|\n|\r|$)/g)].map((match) => ({
    text: match[0].replace(/[\r\n]+$/, ''),
    offset: match.index,
  }));
}

/** The bracket that closes the one at `open`, texts in quotes skipped; or the innermost bracket or quote that is not closed. */
export function closingBracket(
  text: string,
  open: number,
): { close: number; unclosed?: undefined } | { close?: undefined; unclosed: number } {
  const opened: number[] = [];
  for (let index = open; index < text.length; index++) {
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

/** The line up to a comment: `#` or `//` behind a blank, outside of quotes. */
export function withoutComment(line: Line): Line {
  const comment = /^((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?!\s(?:#|\/\/)).)*)\s(?:#|\/\/)/.exec(line.text);
  return comment === null ? line : { ...line, text: comment[1] ?? '' };
}

/** Where the trimmed text of a line stands. */
export function placeOf(line: Line, trimmed: string): Place {
  return { offset: line.offset + line.text.indexOf(trimmed), length: trimmed.length };
}

/** A part of a line. */
export function part(line: Line, start: number, text: string): PlacedText {
  return { text, offset: line.offset + start, length: text.length };
}
