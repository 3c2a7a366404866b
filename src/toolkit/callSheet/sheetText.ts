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

/** The bracket that closes the one at `open`, texts in quotes skipped. */
export function closingBracket(text: string, open: number): number | undefined {
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"' || character === "'") {
      const end = endOfQuote(text, index);
      if (end === undefined) {
        return undefined;
      }
      index = end;
    } else if ('([{'.includes(character)) {
      depth++;
    } else if (')]}'.includes(character)) {
      depth--;
      if (depth === 0) {
        return index;
      }
    } else if (character === '\n' && /^\s*###/.test(text.slice(index + 1, index + 80))) {
      // The next section: the bracket was forgotten.
      return undefined;
    }
  }
  return undefined;
}

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
