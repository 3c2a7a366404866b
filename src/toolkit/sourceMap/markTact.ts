import type { SourceToken } from '../contracts/abi/tokenize';
import { TokenReader, tokenize, UnexpectedToken } from '../contracts/abi/tokenize';
import { lineCounter } from './sourceFunctions';
import { tactFunctions } from './tactFunctions';
import type { TactFunction } from './tactFunctions';
import { withInsertions } from './markFunc';
import type { Insertion } from './markFunc';

/** What a mark says of the instructions after it. */
export interface TactMark {
  file: string;
  /** From 1; 0 if it is not known which line it is. */
  line: number;
  /** Whether it is the head of a function or of a message's receiver, so that what is before it belongs to it, too. */
  isHead: boolean;
}

/** Name of the native function that is called where a mark is. */
export function markName(mark: number): string {
  return `tonWorkbenchMark${mark}`;
}

/**
 * A Tact source with marks: calls of functions without instructions, before each statement and at the ends of functions
 * and of loops that continue with code of their own. Lines stay where they are.
 *
 * @param marks to which the new ones are added
 * @param constants names of constants in all sources
 * @param isLeftOut whether a function gets no marks
 */
export function markTact(
  { file, text }: { file: string; text: string },
  marks: TactMark[],
  constants: ReadonlySet<string>,
  isLeftOut: (first: number, last: number) => boolean,
): string {
  const tokens = tokenize(text, 'tact');
  const lineOf = lineCounter(text);
  const insertions: Insertion[] = [];
  for (const one of tactFunctions(tokens)) {
    const [first, last] = [lineOf(one.offset), lineOf(tokens[one.close]!.offset)];
    const mark = (line: number, isHead: boolean): string => {
      return `${markName(marks.push({ file, line, isHead }) - 1)}(); `;
    };
    const marker = new FunctionMarker(tokens, one, constants, (offset, isHead) =>
      mark(lineOf(offset), isHead),
    );
    const own = one.kind === 'contract' ? [] : isLeftOut(first, last) ? undefined : marker.read();
    if (own !== undefined) {
      insertions.push(...own);
    } else if (one.kind !== 'function') {
      // A receiver is a part of the function that selects it, which has lines only if it has.
      insertions.push({ offset: tokens[one.open]!.offset + 1, text: ` ${mark(0, true)}` });
    }
  }
  return withInsertions(text, insertions);
}

/** The names of the constants in a Tact source. */
export function tactConstants(text: string): string[] {
  const tokens = tokenize(text, 'tact');
  return tokens.flatMap(({ text: word }, index) => (word === 'const' ? [tokens[index + 1]?.text ?? ''] : []));
}

/** A block that was read. */
interface ReadBlock {
  /** Whether the end is never reached: the compiler allows no statement there. */
  returns: boolean;
  /** Offset of its closing brace. */
  close: number;
}

class FunctionMarker {
  readonly #insertions: Insertion[] = [];
  readonly #reader: TokenReader;

  /** @param mark makes the mark for an offset; returns its call */
  constructor(
    private readonly tokens: readonly SourceToken[],
    private readonly declared: TactFunction,
    private readonly constants: ReadonlySet<string>,
    private readonly mark: (offset: number, isHead: boolean) => string,
  ) {
    this.#reader = new TokenReader(tokens);
    this.#reader.position = declared.open;
  }

  /** Undefined if it has statements that are not understood. */
  read(): Insertion[] | undefined {
    const { offset, kind } = this.declared;
    const second = this.tokens[this.declared.open + 1]!;
    // The compiler makes other code of these, which marks would change.
    if (kind === 'rest' && (second.text === '}' || this.#throwsAt(this.declared.open + 1))) {
      return [];
    }
    try {
      this.#insert(second.offset, this.mark(offset, kind === 'function' || kind === 'message'));
      const { returns, close } = this.#block(false);
      if (!returns) {
        this.#insert(close, this.mark(close, false));
      }
      return this.#insertions;
    } catch (error) {
      if (error instanceof UnexpectedToken) {
        return undefined;
      }
      throw error;
    }
  }

  /** @param isThrowBare whether its first statement, a throw, gets no mark */
  #block(isThrowBare: boolean): ReadBlock {
    const reader = this.#reader;
    return reader.nested(() => {
      reader.expect('{');
      let returns = false;
      for (let isFirst = true; reader.peek() !== '}'; isFirst = false) {
        returns = this.#statement(!(isFirst && isThrowBare)) || returns;
      }
      return { returns, close: reader.next().offset };
    });
  }

  /** Returns whether it always returns or throws. */
  #statement(isMarked: boolean, isElse = false): boolean {
    const reader = this.#reader;
    const { offset } = this.#next();
    if (isMarked) {
      this.#insert(offset, this.mark(offset, false));
    }
    switch (reader.peek()) {
      case 'if':
        return this.#condition(isElse);
      case 'while':
      case 'repeat':
        reader.next();
        this.#parens();
        this.#block(false);
        return false;
      case 'foreach': {
        reader.next();
        this.#parens();
        const { returns, close } = this.#block(false);
        // Then comes the step to the next entry.
        this.#insert(close, returns ? '' : this.mark(offset, false));
        return false;
      }
      case 'do': {
        reader.next();
        const { returns, close } = this.#block(false);
        const until = this.#next();
        reader.expect('until');
        this.#insert(close, returns ? '' : this.mark(until.offset, false));
        this.#parens();
        this.#end();
        return returns;
      }
      case 'try': {
        reader.next();
        const { returns } = this.#block(false);
        if (!reader.take('catch')) {
          return false;
        }
        this.#parens();
        return this.#block(false).returns && returns;
      }
      case '{':
        return this.#block(false).returns;
      default: {
        const returns = reader.peek() === 'return' || this.#throwsAt(reader.position);
        while (reader.peek() !== ';' && reader.peek() !== '}') {
          reader.skipBalanced();
        }
        this.#end();
        return returns;
      }
    }
  }

  /** The last statement of a block needs no semicolon, unless a mark follows. */
  #end(): void {
    if (!this.#reader.take(';')) {
      this.#insert(this.#lastEnd(), ';');
    }
  }

  /** @param isElse whether it is all that is in the other branch of another one */
  #condition(isElse: boolean): boolean {
    const reader = this.#reader;
    reader.expect('if');
    this.#parens();
    const { returns } = this.#block(!isElse && this.#isThrowIf());
    if (!reader.take('else')) {
      return false;
    }
    if (reader.peek() !== 'if') {
      const isSole = this.#isSoleCondition();
      if (!isSole) {
        return this.#block(false).returns && returns;
      }
      reader.expect('{');
      const otherReturns = this.#statement(true, true);
      reader.expect('}');
      return otherReturns && returns;
    }
    this.#insert(this.#next().offset, '{ ');
    const otherReturns = this.#statement(true, true);
    this.#insert(this.#lastEnd(), ' }');
    return otherReturns && returns;
  }

  /** Whether the compiler makes one instruction of `if (…) { throw(…) }`, which a mark would split. */
  #isThrowIf(): boolean {
    const reader = this.#reader;
    const start = reader.position;
    reader.skipBalanced();
    const isAlone = reader.peek() !== 'else' || (reader.peek(1) === '{' && reader.peek(2) === '}');
    reader.position = start + 2;
    const argument = reader.position;
    const isThrow = this.#throwsAt(start + 1) && reader.peek() === '(';
    reader.skipBalanced();
    const words = this.tokens.slice(argument, reader.position).map(({ text }) => text);
    reader.position = start;
    return isAlone && isThrow && words.every((word, index) => this.#isConstant(word, words[index + 1]));
  }

  #isConstant(word: string, next: string | undefined): boolean {
    const isCall = /^\w/.test(word) && next === '(';
    const isName = /^[A-Za-z_]/.test(word) && word !== 'self';
    return !isCall && (!isName || this.constants.has(word) || word.startsWith('TactExitCode'));
  }

  /** Whether the next block has one statement, which is a condition. */
  #isSoleCondition(): boolean {
    const reader = this.#reader;
    const start = reader.position;
    reader.expect('{');
    let isSole = reader.peek() === 'if';
    while (isSole && reader.take('if')) {
      this.#parens();
      reader.skipBalanced();
      if (reader.take('else') && reader.peek() !== 'if') {
        reader.skipBalanced();
        break;
      }
    }
    isSole &&= reader.peek() === '}';
    reader.position = start;
    return isSole;
  }

  #throwsAt(index: number): boolean {
    const text = this.tokens[index]?.text;
    return (text === 'throw' || text === 'nativeThrow') && this.tokens[index + 1]?.text === '(';
  }

  #parens(): void {
    if (this.#reader.peek() !== '(') {
      throw new UnexpectedToken('( expected');
    }
    this.#reader.skipBalanced();
  }

  #next(): SourceToken {
    const token = this.tokens[this.#reader.position];
    if (token === undefined) {
      throw new UnexpectedToken('the text ends here');
    }
    return token;
  }

  #lastEnd(): number {
    const { offset, text } = this.tokens[this.#reader.position - 1]!;
    return offset + text.length;
  }

  #insert(offset: number, text: string): void {
    this.#insertions.push({ offset, text });
  }
}
