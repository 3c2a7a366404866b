import type { SourceToken } from '../contracts/abi/tokenize';
import { TokenReader, UnexpectedToken, tokenize } from '../contracts/abi/tokenize';
import type { FuncLocation } from './tolkSourceMap';
import { lineCounter } from './sourceFunctions';

/** Name of the function that is called where a mark is. */
export function funcMarkName(mark: number): string {
  return `ton_workbench_mark_${mark}`;
}

/**
 * A FunC source with marks, for compilers that have none: calls of functions without instructions before each statement,
 * before the condition at the end of a loop, and before each condition after `else`. Lines stay where they are.
 *
 * @param marks to which the new ones are added
 * @param isLeftOut whether a function gets no marks
 */
export function markFunc(
  { file, text }: { file: string; text: string },
  marks: FuncLocation[],
  isLeftOut: (first: number, last: number) => boolean,
): string {
  const tokens = tokenize(text, 'func');
  const lineOf = lineCounter(text);
  const insertions: Insertion[] = [];
  const reader = new TokenReader(tokens);
  while (!reader.atEnd()) {
    if (reader.peek() !== '{') {
      reader.skipBalanced();
      continue;
    }
    const open = reader.position;
    reader.skipBalanced();
    const close = reader.position;
    if (isLeftOut(lineOf(tokens[open]!.offset), lineOf(tokens[close - 1]!.offset))) {
      continue;
    }
    const begun = marks.length;
    const read = new BodyMarker(tokens, open, (offset) => {
      return `${funcMarkName(marks.push({ file, line: lineOf(offset) }) - 1)}(); `;
    }).read();
    if (read === undefined) {
      marks.length = begun;
    }
    insertions.push(...(read ?? []));
  }
  return withInsertions(text, insertions);
}

class BodyMarker {
  readonly #insertions: Insertion[] = [];
  readonly #reader: TokenReader;

  /** @param mark makes the mark for an offset; returns its call */
  constructor(
    private readonly tokens: readonly SourceToken[],
    open: number,
    private readonly mark: (offset: number) => string,
  ) {
    this.#reader = new TokenReader(tokens);
    this.#reader.position = open;
  }

  /** Undefined if it has statements that are not understood. */
  read(): Insertion[] | undefined {
    try {
      this.#block();
      return this.#insertions;
    } catch (error) {
      if (error instanceof UnexpectedToken) {
        return undefined;
      }
      throw error;
    }
  }

  /** Returns the offset of its closing brace. */
  #block(): number {
    const reader = this.#reader;
    return reader.nested(() => {
      reader.expect('{');
      while (reader.peek() !== '}') {
        this.#statement();
      }
      return reader.next().offset;
    });
  }

  #statement(): void {
    const reader = this.#reader;
    if (reader.peek() !== '{') {
      this.#insert(this.#offset(), this.mark(this.#offset()));
    }
    switch (reader.peek()) {
      case '{':
        this.#block();
        break;
      case 'if':
      case 'ifnot':
        this.#condition();
        break;
      case 'while':
      case 'repeat':
        this.#upTo('{');
        this.#block();
        break;
      case 'do': {
        reader.next();
        const close = this.#block();
        const until = this.#offset();
        reader.expect('until');
        this.#insert(close, this.mark(until));
        this.#upTo(';');
        reader.next();
        break;
      }
      case 'try':
        reader.next();
        this.#block();
        reader.expect('catch');
        this.#upTo('{');
        this.#block();
        break;
      default:
        this.#upTo(';');
        reader.next();
    }
  }

  /** `elseif` becomes `else { … if }`, so that what it tests has its own line. */
  #condition(): void {
    const reader = this.#reader;
    this.#upTo('{');
    let end = this.#block() + 1;
    let opened = 0;
    for (;;) {
      const word = reader.peek();
      if (word === 'elseif' || word === 'elseifnot') {
        const offset = this.#offset();
        this.#insert(offset + 'else'.length, ` { ${this.mark(offset)}`);
        opened += 1;
        this.#upTo('{');
        end = this.#block() + 1;
        continue;
      }
      if (reader.take('else')) {
        end = this.#block() + 1;
      }
      break;
    }
    this.#insert(end, ' }'.repeat(opened));
  }

  #upTo(end: string): void {
    while (this.#reader.peek() !== end) {
      if (this.#reader.peek() === '}' || this.#reader.peek() === '') {
        throw new UnexpectedToken(`${end} expected`);
      }
      this.#reader.skipBalanced();
    }
  }

  #offset(): number {
    const token = this.tokens[this.#reader.position];
    if (token === undefined) {
      throw new UnexpectedToken('the text ends here');
    }
    return token.offset;
  }

  #insert(offset: number, text: string): void {
    this.#insertions.push({ offset, text });
  }
}

/** What is put into a text. */
export interface Insertion {
  offset: number;
  text: string;
}

/** A text with insertions; those at one offset stay in their order. */
export function withInsertions(text: string, insertions: readonly Insertion[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { offset, text: inserted } of insertions.toSorted((a, b) => a.offset - b.offset)) {
    parts.push(text.slice(at, offset), inserted);
    at = offset;
  }
  return [...parts, text.slice(at)].join('');
}
