import { Address } from '@ton/core';
import { readAddressForm } from '../address/canonicalAddress';
import { isDomain } from '../address/resolveAccount';
import { WorkbenchError } from '../base/errors';
import { rangeProblem, readInteger } from './integerText';
import { cellToAddress } from './stackValue';
import type { StackTextContext, Word } from './stackTextContext';
import { shown, stackTextError, suggestionFor } from './stackTextContext';

/** How a number must be stored. */
export interface IntegerType {
  /** As written, for messages: `u32`. */
  name: string;
  bits: number;
  signed: boolean;
}

/** Any integer of the TVM. */
export const tvmInteger: IntegerType = { name: 'a TVM integer', bits: 257, signed: true };

/** Reads a number of `type`; a named number may be used as `@name`. */
export function parseInteger(context: StackTextContext, type: IntegerType): bigint {
  const { scanner } = context;
  scanner.skipBlanks();
  const word = scanner.takeWord();
  const value = integerOf(context, word, type);
  const problem = rangeProblem(value, type.bits, type.signed, type.name);
  if (problem !== undefined) {
    throw scanner.errorFrom(word.offset, problem);
  }
  return value;
}

function integerOf(context: StackTextContext, word: Word, type: IntegerType): bigint {
  if (word.text === '') {
    throw context.scanner.errorFrom(word.offset, `a number is missing for ${type.name}`, {
      expected: ['number'],
    });
  }
  if (word.text.startsWith('@')) {
    const value = context.named(word);
    if (value instanceof Address || value.type !== 'int') {
      throw context.scanner.errorFrom(word.offset, `a number is needed for ${type.name}, not ${word.text}`);
    }
    return value.value;
  }
  const constant = context.constants?.get(word.text);
  if (constant !== undefined) {
    return constant;
  }
  const reading = readInteger(word.text);
  if ('problem' in reading) {
    throw context.scanner.errorFrom(word.offset, reading.problem, withSuggestion(reading.suggestion));
  }
  return reading.value;
}

/** Reads what can follow `addr`: an address, a name, or `none` (null here). */
export function parseAddressOrNone(context: StackTextContext): Address | null {
  const { scanner } = context;
  scanner.skipBlanks();
  const word = scanner.takeWord();
  if (word.text === '') {
    throw scanner.errorFrom(word.offset, 'an address is missing after addr', {
      expected: ['address', 'none'],
    });
  }
  if (word.text === 'none') {
    return null;
  }
  const isName = word.text.startsWith('@') || context.options.accounts?.has(word.text) === true;
  if (isName) {
    const value = context.named(word);
    const address =
      value instanceof Address ? value : 'cell' in value ? cellToAddress(value.cell) : undefined;
    if (address === undefined) {
      throw scanner.errorFrom(word.offset, `an account is needed after addr, not ${word.text}`);
    }
    return address;
  }
  return parseAddressWord(context, word);
}

/** The address written as `word`. */
export function parseAddressWord(context: StackTextContext, word: Word): Address {
  const reading = readAddressText(word.text);
  if ('address' in reading) {
    return reading.address;
  }
  const isShort = !looksLikeAddress(word.text) && word.text.length < 40;
  if (isShort) {
    const names = [...(context.options.accounts?.keys() ?? [])];
    const message = isDomain(word.text)
      ? `the domain ${shown(word)} does not name an account here`
      : `“${shown(word)}” is not an address`;
    throw context.scanner.errorFrom(word.offset, message, {
      expected: ['address', 'none', ...names],
      suggestion: suggestionFor(word.text, names) ?? 'write EQ…, 0:hex, a name such as @alice, or none',
    });
  }
  throw context.scanner.errorFrom(word.offset, reading.problem, withSuggestion(reading.suggestion));
}

/** Reads `"text"` or `'text'` with the escapes \" \' \\ \n \r \t \uXXXX \u{X}. */
export function parseQuoted(context: StackTextContext, keyword: 'str' | 'file' = 'str'): string {
  const { scanner } = context;
  scanner.skipBlanks();
  const start = scanner.position;
  const quote = scanner.peek();
  if (quote !== '"' && quote !== "'") {
    const word = scanner.takeWord().text;
    throw scanner.errorFrom(start, `quoted text is missing after ${keyword}`, {
      expected: ['"text"'],
      suggestion: `write ${keyword} "${word === '' ? 'text' : shown(word)}"`,
    });
  }
  scanner.position++;
  let text = '';
  while (!scanner.take(quote)) {
    if (scanner.atEnd()) {
      throw stackTextError({
        offset: start,
        length: scanner.position - start,
        message: 'missing closing quote',
        suggestion: `end the text with ${quote}`,
      });
    }
    text += scanner.peek() === '\\' ? parseEscape(context) : scanner.peek();
    scanner.position++;
  }
  if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)) {
    throw scanner.errorFrom(start, 'the text contains half a character (a lone surrogate)');
  }
  return text;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  "'": "'",
  '\\': '\\',
};

/** Reads one escape; leaves the position on its last character. */
function parseEscape({ scanner }: StackTextContext): string {
  const start = scanner.position;
  const match = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|(.))/iy;
  match.lastIndex = start;
  const found = match.exec(scanner.text);
  const code = Number.parseInt(found?.[1] ?? found?.[2] ?? '', 16);
  const character = Number.isNaN(code)
    ? escapes[found?.[3] ?? '']
    : code <= 0x10ffff
      ? String.fromCodePoint(code)
      : undefined;
  if (found === null || character === undefined) {
    throw stackTextError({
      offset: start,
      length: Math.min(2, scanner.text.length - start),
      message: `the escape “${shown(scanner.text.slice(start, start + 2))}” is unknown`,
      suggestion: 'the escapes are \\" \\\\ \\n \\r \\t and \\u{code}',
    });
  }
  scanner.position = start + found[0].length - 1;
  return character;
}

function withSuggestion(suggestion: string | undefined): { suggestion?: string } {
  return suggestion === undefined ? {} : { suggestion };
}

/** An address, or why the text is not one: a lowercase clause, and what to do. */
type AddressReading = { address: Address } | { problem: string; suggestion?: string };

/**
 * Whether the text looks like an address, valid or not: then errors are about an address. User-friendly ones begin
 * with EQ, UQ, kQ, 0Q, and with f for Q in the masterchain.
 */
export function looksLikeAddress(text: string): boolean {
  return /^-?\d+:\w/.test(text) || /^[EUk0][Qf][\w+/-]{40,50}$/.test(text);
}

/**
 * Reads a raw (`0:hex`) or user-friendly (TEP-2: 48 characters of base64 or base64url) address.
 * The bounceable and testnet flags are dropped.
 */
export function readAddressText(text: string): AddressReading {
  try {
    const { workchain, hash } = readAddressForm(text);
    return workchain < -128 || workchain > 127
      ? workchainProblem(String(workchain))
      : { address: new Address(workchain, Buffer.from(hash, 'hex')) };
  } catch (error) {
    if (WorkbenchError.is(error, 'address-invalid')) {
      return problemWith(text, error.details);
    }
    throw error;
  }
}

/** The problem as a clause for an error in stack text. */
function problemWith(text: string, { reason, offset }: WorkbenchError['details']): AddressReading {
  const colon = text.indexOf(':');
  const wrong = text.charAt(Number(offset));
  switch (reason) {
    case 'workchain':
      return /^-?\d+:/.test(text)
        ? workchainProblem(text.slice(0, colon))
        : { problem: `“:” is not allowed in an address` };
    case 'character':
      return {
        problem:
          colon < 0
            ? `“${wrong}” is not allowed in an address`
            : `“${wrong}” is not a hex digit of a raw address`,
      };
    case 'length':
      return colon < 0
        ? {
            problem: `an address has 48 characters, this one has ${text.length}`,
            suggestion: 'copy all of it again',
          }
        : {
            problem: `a raw address has 64 hex digits after the colon, this one has ${text.length - colon - 1}`,
          };
    case 'checksum':
      return {
        problem: 'the checksum of the address is wrong',
        suggestion: 'a character is mistyped: copy the address again',
      };
    default:
      return { problem: 'the address starts with an unknown flag' };
  }
}

function workchainProblem(workchain: string): AddressReading {
  return { problem: `the workchain ${workchain} is out of range`, suggestion: 'use 0 or -1' };
}
