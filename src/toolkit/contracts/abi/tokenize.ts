import { limits } from '../../base/limits';
import type { SourceLanguage } from './sourceLanguage';

/** A word, a number, a string or one punctuation mark of a source text. */
export interface SourceToken {
  text: string;
  offset: number;
  /** Whether a line break precedes this token. */
  startsLine: boolean;
  /** The comment right before this token, without comment marks. */
  comment?: string | undefined;
}

interface Lexicon {
  lineComments: readonly string[];
  blockComments: readonly (readonly [open: string, close: string])[];
  /** Matches a word at its start; sticky. */
  word: RegExp;
}

const cLike: Omit<Lexicon, 'word'> = { lineComments: ['//'], blockComments: [['/*', '*/']] };

const lexicons: Readonly<Record<SourceLanguage, Lexicon>> = {
  tolk: { ...cLike, word: /`[^`\n]+`|[\p{L}\p{N}_$]+/uy },
  tact: { ...cLike, word: /[\p{L}\p{N}_]+/uy },
  // FunC names can contain nearly anything: op::mint, is_empty?, ~load, `any text`.
  func: {
    lineComments: [';;', '//'],
    blockComments: [
      ['{-', '-}'],
      ['/*', '*/'],
    ],
    word: /`[^`\n]+`|[^\s()[\]{},;"]+/uy,
  },
};

/**
 * The tokens of a source text; comments are attached to the token after them. Never fails: an open string ends at its
 * line's end.
 */
export function tokenize(text: string, language: SourceLanguage): SourceToken[] {
  const lexicon = lexicons[language];
  const tokens: SourceToken[] = [];
  let comment: string | undefined;
  let startsLine = true;
  let position = 0;
  while (position < text.length) {
    const skipped = skipBlankOrComment(text, position, lexicon);
    if (skipped !== undefined) {
      const { end, comment: found } = skipped;
      startsLine ||= text.slice(position, end).includes('\n');
      comment =
        found === undefined
          ? /\n\s*\n/.test(text.slice(position, end))
            ? undefined
            : comment
          : join(comment, found);
      position = end;
      continue;
    }
    const end = endOfToken(text, position, lexicon);
    tokens.push({ text: text.slice(position, end), offset: position, startsLine, comment });
    comment = undefined;
    startsLine = false;
    position = end;
  }
  return tokens;
}

/**
 * The text of the comments, everything else blank, so that offsets are those of the source. Each token of code leaves
 * one {@link codeMark}, because what it separates does not belong together.
 */
export function commentsOf(text: string, language: SourceLanguage): string {
  const lexicon = lexicons[language];
  const parts: string[] = [];
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ');
  for (let position = 0; position < text.length;) {
    const skipped = skipBlankOrComment(text, position, lexicon);
    const end = skipped?.end ?? endOfToken(text, position, lexicon);
    const part = text.slice(position, end);
    if (skipped === undefined) {
      parts.push(codeMark, blank(part.slice(1)));
    } else if (skipped.comment === undefined) {
      parts.push(part);
    } else {
      parts.push(part.replace(/^(?:;;|\/\/|\{-|\/\*)/, '  ').replace(/(?:-\}|\*\/)$/, '  '));
    }
    position = end;
  }
  return parts.join('');
}

/** Stands for code among comments. */
export const codeMark = '\u0001';

function join(before: string | undefined, comment: string): string {
  return before === undefined ? comment : `${before}\n${comment}`;
}

/** Made once: they are asked at each token. */
const whiteSpace = /\s+/uy;
const quoted = /"""[^]*?"""|"(?:\\.|[^"\\\n])*"?/y;

function skipBlankOrComment(
  text: string,
  position: number,
  { lineComments, blockComments }: Lexicon,
): { end: number; comment?: string } | undefined {
  whiteSpace.lastIndex = position;
  if (whiteSpace.test(text)) {
    return { end: whiteSpace.lastIndex };
  }
  for (const mark of lineComments) {
    if (text.startsWith(mark, position)) {
      const end = text.indexOf('\n', position);
      const last = end < 0 ? text.length : end;
      return {
        end: last,
        comment: text
          .slice(position + mark.length, last)
          .replace(/^[/;]*\s?/, '')
          .trimEnd(),
      };
    }
  }
  for (const [open, close] of blockComments) {
    if (text.startsWith(open, position)) {
      const end = endOfBlock(text, position, open, close);
      const inner = text.slice(position + open.length, Math.max(position + open.length, end - close.length));
      return { end, comment: inner.replace(/^[ \t]*\*+ ?/gm, '').trim() };
    }
  }
  return undefined;
}

/** FunC's block comments nest; in the other languages an inner opening mark is rare enough not to matter. */
function endOfBlock(text: string, position: number, open: string, close: string): number {
  let depth = 0;
  const nests = open === '{-';
  for (let index = position; index < text.length;) {
    if ((depth === 0 || nests) && text.startsWith(open, index)) {
      depth++;
      index += open.length;
    } else if (text.startsWith(close, index)) {
      depth--;
      index += close.length;
      if (depth === 0) {
        return index;
      }
    } else {
      index++;
    }
  }
  return text.length;
}

function endOfToken(text: string, position: number, { word }: Lexicon): number {
  if (text.charAt(position) === '"') {
    quoted.lastIndex = position;
    return quoted.test(text) ? quoted.lastIndex : position + 1;
  }
  if (text.startsWith('->', position) || text.startsWith('=>', position)) {
    return position + 2;
  }
  word.lastIndex = position;
  return word.test(text) ? word.lastIndex : position + 1;
}

/** Thrown by readers on an unexpected declaration, which is then skipped. */
export class UnexpectedToken extends Error {}

/** Shared, because creating an error costs as much as reading many tokens. */
const stepsOfAnError = 200;

/** Reads tokens one after another. */
export class TokenReader {
  position = 0;
  #depth = 0;
  #stepsLeft: number;
  #closers: ReadonlyMap<number, number> | undefined;

  constructor(readonly tokens: readonly SourceToken[]) {
    // A declaration that is not understood is read again from its second token; the step limit keeps that from
    // becoming quadratic.
    this.#stepsLeft = Math.min(limits.sourceSteps.most, tokens.length * 8 + 1000);
  }

  /** Continues at `position` after something that was not understood. */
  recover(position: number): void {
    this.position = position;
    this.spend(stepsOfAnError);
  }

  /** Counts work that does not advance the position. */
  spend(steps: number): void {
    this.#stepsLeft -= steps;
  }

  /** Whether the end is reached, or the text took more steps than its length warrants. */
  atEnd(): boolean {
    return this.position >= this.tokens.length || this.#stepsLeft < 0;
  }

  /** The text of the token `ahead` of the next one, or '' after the end. */
  peek(ahead = 0): string {
    return this.tokens[this.position + ahead]?.text ?? '';
  }

  next(): SourceToken {
    const token = this.tokens[this.position];
    if (token === undefined || this.#stepsLeft-- < 0) {
      throw new UnexpectedToken('the text ends here');
    }
    this.position++;
    return token;
  }

  /** Moves over the token if it is `text`. */
  take(text: string): boolean {
    if (this.peek() !== text) {
      return false;
    }
    this.position++;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) {
      throw new UnexpectedToken(`${text} expected, ${this.peek()} found`);
    }
  }

  /** The next token, which must be a name. Backticks are dropped. */
  name(): SourceToken {
    const token = this.next();
    if (!/^[\p{L}_$`]/u.test(token.text)) {
      throw new UnexpectedToken(`a name expected, ${token.text} found`);
    }
    return withoutBackticks(token);
  }

  /** Moves past the bracket that closes the one at the current position. */
  skipBalanced(): void {
    const { text } = this.next();
    if (/^[([{]$/.test(text)) {
      this.#closers ??= closersOf(this.tokens);
      const closer = this.#closers.get(this.position - 1);
      this.position = closer === undefined ? this.tokens.length : closer + 1;
      if (closer === undefined) {
        throw new UnexpectedToken(`${text} is not closed`);
      }
    }
  }

  /** Runs `read` one level deeper; fails if nested too deeply. */
  nested<T>(read: () => T): T {
    if (this.#depth === limits.sourceNesting.most) {
      throw new UnexpectedToken('brackets are nested too deeply');
    }
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }

  /** Reads items up to `close`, separated by commas. */
  list<T>(close: string, read: () => T): T[] {
    const items: T[] = [];
    while (!this.take(close)) {
      items.push(this.nested(read));
      if (!this.take(',') && this.peek() !== close) {
        throw new UnexpectedToken(`${close} expected, ${this.peek()} found`);
      }
    }
    return items;
  }
}

/** The position of each opening bracket's closing one, ignoring kinds. */
export function closersOf(tokens: readonly SourceToken[]): Map<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { text }] of tokens.entries()) {
    if (text === '(' || text === '[' || text === '{') {
      open.push(index);
    } else if (text === ')' || text === ']' || text === '}') {
      const start = open.pop();
      if (start !== undefined) {
        closers.set(start, index);
      }
    }
  }
  return closers;
}

/** A name in backticks, without them: its offset is that of its first character. */
export function withoutBackticks(token: SourceToken): SourceToken {
  const bare = /^`(.*)`$/.exec(token.text)?.[1];
  return bare === undefined ? token : { ...token, text: bare, offset: token.offset + 1 };
}

/** A number in source notation: decimal, hex, or binary, `_` between digits. */
export function numberOf(text: string): bigint | undefined {
  const digits = text.replaceAll('_', '');
  return /^(0x[0-9a-f]+|0b[01]+|\d+)$/i.test(digits) ? BigInt(digits) : undefined;
}

/**
 * A field's default value in a source, as stack text if possible: `ton("0.05")` is 0.05ton. Comments between its tokens
 * and behind them are no part of it.
 */
export function defaultText(tokens: readonly SourceToken[]): string {
  let end = tokens[0]?.offset ?? 0;
  const source = tokens
    .map(({ text, offset }) => {
      const gap = offset > end ? ' ' : '';
      end = offset + text.length;
      return gap + text;
    })
    .join('');
  return source
    .replace(/ as \w+$/, '')
    .replace(/^(?:ton|grams)\("([\d.]+)"\)$/, '$1ton')
    .replace(/^address\("([^"]+)"\)$/, '$1')
    .replace(/^(?:emptyMap|createEmptyMap|createEmptyDict)\(\)$/, 'null')
    .replace(/^(?:createEmptyCell|emptyCell)\(\)$/, 'b()');
}
