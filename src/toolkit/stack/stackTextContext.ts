import { Address } from '@ton/core';
import { stackTextError } from './stackTextError';
import type { StackValue } from './stackValue';
import type { Word } from './textScanner';
import { limits } from '../limits';
import { shown, TextScanner } from './textScanner';

/** The names that may stand in the text. */
export interface StackTextOptions {
  /** Names of accounts and their addresses in any form: `@alice`, `addr alice`. */
  accounts?: ReadonlyMap<string, string> | undefined;
  /** Named values: `@amount`. */
  variables?: ReadonlyMap<string, StackValue> | undefined;
  /** Reads the file of `cell file "code.boc"`; without it files cannot be named. Its errors become those of the text. */
  readFile?: ((path: string) => Uint8Array) | undefined;
}

/** Brackets that may stand inside one another. Deeper text is a mistake, and would exhaust the stack of this program. */
const maximumDepth = 100;

/** What the parts of the parser share while they read one text. */
export class StackTextContext {
  readonly scanner: TextScanner;
  private depth = 0;
  private valueCount = 0;

  constructor(
    text: string,
    readonly options: StackTextOptions,
  ) {
    this.scanner = new TextScanner(text);
  }

  /** Runs `read` one bracket deeper. */
  nested<T>(offset: number, read: () => T): T {
    if (this.depth === maximumDepth) {
      throw stackTextError({ offset, length: 1, message: `brackets stand more than ${maximumDepth} deep` });
    }
    this.depth++;
    const result = read();
    this.depth--;
    return result;
  }

  /** Counts what is read at `offset`: one value, or a named one with all that it holds. */
  count(offset: number, named?: StackValue): void {
    this.valueCount += named === undefined ? 1 : sizeOf(named);
    if (this.valueCount > limits.stackValues.most) {
      throw stackTextError({
        offset,
        length: 1,
        message: `these are more than ${limits.stackValues.most.toLocaleString('en-US')} ${limits.stackValues.unit}`,
      });
    }
  }

  /** The value behind `@name`; a named account is the slice of its address. */
  named(word: Word): StackValue | Address {
    const name = word.text.replace(/^@/, '');
    const { accounts, variables } = this.options;
    const value = variables?.get(name);
    const address = accounts?.get(name);
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
      message: name === '' ? 'a name is missing after @' : `the name @${shown(name)} is not known here`,
      expected: names,
      suggestion: suggestionFor(`@${name}`, names) ?? knownNames(names),
    });
  }
}

const sizes = new WeakMap<StackValue, number>();

/** The values in a value, itself included; a named one that stands in it twice counts twice. */
function sizeOf(value: StackValue): number {
  if (value.type !== 'tuple' && value.type !== 'list') {
    return 1;
  }
  const size = sizes.get(value) ?? value.items.reduce((sum, item) => sum + sizeOf(item), 1);
  sizes.set(value, size);
  return size;
}

/** “did you mean X” for the candidate that is at most two changes away (one for short words). */
export function suggestionFor(text: string, candidates: readonly string[]): string | undefined {
  const close = candidates
    .map((candidate) => ({ candidate, distance: editDistance(text.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= (candidate.length >= 5 ? 2 : 1))
    .sort((a, b) => a.distance - b.distance)[0];
  return close === undefined ? undefined : `did you mean ${close.candidate}`;
}

/** The names themselves, if they are few. */
export function knownNames(names: readonly string[]): string | undefined {
  return names.length > 0 && names.length <= 12 ? `known here: ${names.join(', ')}` : undefined;
}

/** Longer words are no typing errors of one another. */
const longestWord = 64;

/** Levenshtein distance; long texts, and those that differ by their length at least, are not compared. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || a.length > longestWord) {
    return 3;
  }
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
