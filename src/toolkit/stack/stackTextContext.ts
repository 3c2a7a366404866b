import type { Cell } from '@ton/core';
import { Address } from '@ton/core';
import { addressNamed, bareName } from '../address/resolveAccount';
import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import { closestWord, visibleText } from '../base/text';
import type { StackValue } from './stackValue';

/** A run of characters between separators and brackets, and its position. */
export interface Word {
  text: string;
  offset: number;
}

/** The word for messages: short, with nothing invisible. */
export function shown(word: Word | string): string {
  return visibleText(typeof word === 'string' ? word : word.text, 16);
}

const wordEnd = /[\s,()[\]{}"':]/u;

/** A position in a stack text, and the few ways to move it. */
class TextScanner {
  position = 0;

  constructor(readonly text: string) {}

  /** Skips spaces and line ends. */
  skipBlanks(): void {
    while (/\s/u.test(this.text.charAt(this.position))) {
      this.position++;
    }
  }

  atEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** The character at the position, or '' at the end. */
  peek(): string {
    return this.text.charAt(this.position);
  }

  /** Skips `character` if it is at the position. */
  take(character: string): boolean {
    if (this.peek() !== character) {
      return false;
    }
    this.position++;
    return true;
  }

  /** The word at the position, without moving; empty before a separator or bracket. A raw address is one word. */
  peekWord(): Word {
    let end = this.position;
    while (end < this.text.length && (!wordEnd.test(this.text.charAt(end)) || this.isAddressColon(end))) {
      end++;
    }
    return { text: this.text.slice(this.position, end), offset: this.position };
  }

  /** Reads the word at the position. */
  takeWord(): Word {
    const word = this.peekWord();
    this.position += word.text.length;
    return word;
  }

  /** The character after `word`, or '' at the end. */
  characterAfter(word: Word): string {
    return this.text.charAt(word.offset + word.text.length);
  }

  /** An error about everything from `offset` to the position, or about the next character if that is empty. */
  errorFrom(
    offset: number,
    message: string,
    more: { expected?: string[]; suggestion?: string } = {},
  ): WorkbenchError {
    const length = this.position > offset ? this.position - offset : Math.min(1, this.text.length - offset);
    return stackTextError({ offset, length, message, ...more });
  }

  /** In `0:ab…` the colon belongs to the word: it follows the workchain and precedes something. */
  private isAddressColon(index: number): boolean {
    return (
      this.text.charAt(index) === ':' &&
      /^-?\d+$/.test(this.text.slice(this.position, index)) &&
      /\w/.test(this.text.charAt(index + 1))
    );
  }
}

/** The position of an error in the text, and the problem. */
interface StackTextProblem {
  /** Index of the first wrong character, in UTF-16 code units. */
  offset: number;
  /** Number of wrong code units; 0 at the end of the text. */
  length: number;
  /** The problem: a clause in lowercase, without a period. */
  message: string;
  /** What would have been valid there, for completions. */
  expected?: readonly string[] | undefined;
  /** What to write instead: a clause without a period, or a question. */
  suggestion?: string | undefined;
}

/**
 * The text is not a stack: `stack-text-invalid`, with `details.offset`, `length`, `expected`, `suggestion`, and
 * `reason`.
 */
export function stackTextError(problem: StackTextProblem): WorkbenchError {
  const { offset, length, message, expected, suggestion } = problem;
  return new WorkbenchError({
    code: 'stack-text-invalid',
    kind: 'input',
    message: sentence(message),
    hint: suggestion === undefined ? undefined : sentence(suggestion, /\?$/.test(suggestion) ? '' : '.'),
    details: { offset, length, reason: message, expected: expected ?? [], suggestion },
  });
}

function sentence(clause: string, end = '.'): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${end}`;
}

/** The names that can be used in the text. */
export interface StackTextOptions {
  /** Names of accounts and their addresses in any form: `@alice`, `addr alice`. */
  accounts?: ReadonlyMap<string, string> | undefined;
  /** Named values: `@amount`. */
  variables?: ReadonlyMap<string, StackValue> | undefined;
  /** Numbers by the names that a source gives them: `LIMIT`. */
  constants?: ReadonlyMap<string, bigint> | undefined;
  /** Codes of the project's contracts by the names that the text gives them: `code JettonWallet`. */
  codes?: ReadonlyMap<string, Cell> | undefined;
  /**
   * Reads the file of `cell file "code.boc"`; without it files are not allowed. Its errors become errors of the text.
   */
  readFile?: ((path: string) => Uint8Array) | undefined;
}

/** Maximum nesting of brackets. Deeper text is a mistake, and would overflow the stack. */
const maximumDepth = 100;

/** State shared by the parser's parts while reading one text. */
export class StackTextContext {
  readonly scanner: TextScanner;
  /** See {@link StackTextOptions.constants}; a message in the text has those of its own source. */
  constants: ReadonlyMap<string, bigint> | undefined;
  private depth = 0;
  private valueCount = 0;

  constructor(
    text: string,
    readonly options: StackTextOptions,
  ) {
    this.scanner = new TextScanner(text);
    this.constants = options.constants;
  }

  /** The context of another text with the same names, such as a default value. */
  of(text: string): StackTextContext {
    const other = new StackTextContext(text, this.options);
    other.constants = this.constants;
    return other;
  }

  /** Runs `read` one bracket deeper. */
  nested<T>(offset: number, read: () => T): T {
    if (this.depth === maximumDepth) {
      throw stackTextError({
        offset,
        length: 1,
        message: `brackets are nested more than ${maximumDepth} deep`,
      });
    }
    this.depth++;
    const result = read();
    this.depth--;
    return result;
  }

  /** Counts what is read at `offset`: one value, or a named one with everything inside it. */
  count(offset: number, named?: StackValue): void {
    this.valueCount += named === undefined ? 1 : sizeOf(named);
    if (this.valueCount > limits.stackValues.most) {
      throw stackTextError({
        offset,
        length: 1,
        message: `there are more than ${limits.stackValues.most.toLocaleString('en-US')} ${limits.stackValues.unit}`,
      });
    }
  }

  /** The value of `@name`; a named account is the slice of its address. */
  named(word: Word): StackValue | Address {
    const name = bareName(word.text);
    const { accounts, variables } = this.options;
    const value = variables?.get(name);
    const address = accounts && addressNamed(name, accounts);
    if (value !== undefined) {
      return value;
    }
    if (address !== undefined) {
      return Address.parse(address);
    }
    const names = [...(accounts?.keys() ?? []), ...(variables?.keys() ?? [])].map((known) => `@${known}`);
    throw stackTextError({
      offset: word.offset,
      length: word.text.length,
      message: name === '' ? 'a name is missing after @' : `the name @${shown(name)} is unknown`,
      expected: names,
      suggestion: suggestionFor(`@${name}`, names) ?? knownNames(names),
    });
  }
}

const sizes = new WeakMap<StackValue, number>();

/** The number of values within a value, itself included; repeated named ones count each time. */
function sizeOf(value: StackValue): number {
  if (value.type !== 'tuple' && value.type !== 'list') {
    return 1;
  }
  const size = sizes.get(value) ?? value.items.reduce((sum, item) => sum + sizeOf(item), 1);
  sizes.set(value, size);
  return size;
}

/** “did you mean X?” if a candidate is likely a typo away. */
export function suggestionFor(text: string, candidates: readonly string[]): string | undefined {
  const closest = closestWord(text, candidates);
  return closest === undefined ? undefined : `did you mean ${closest}?`;
}

/** The names themselves, if they are few. */
export function knownNames(names: readonly string[]): string | undefined {
  return names.length > 0 && names.length <= 12 ? `known here: ${names.join(', ')}` : undefined;
}

/**
 * A value of a union that does not begin with the name of one of its variants.
 * @param name of the value
 * @param place where the text `word` stands that is none of the `names`
 */
export function noVariantError(
  name: string,
  { offset, word }: { offset: number; word: string },
  names: readonly string[],
): WorkbenchError {
  return stackTextError({
    offset,
    length: Math.max(1, word.length),
    message: `${name} is one of ${names.join(', ')}`,
    expected: names,
    suggestion: suggestionFor(word, names) ?? 'write its name before the value',
  });
}
