import { Address, beginCell } from '@ton/core';
import { ownValue } from '../base/collections';
import {
  parseBits,
  parseBuilder,
  parseCellExpression,
  parseCodeName,
  startsBits,
  startsBuilder,
} from './parseCellExpression';
import { looksLikeNumber } from './integerText';
import type { StackValue } from './stackValue';
import { stringToCell } from './stackValue';
import {
  looksLikeAddress,
  parseAddressOrNone,
  parseAddressWord,
  parseInteger,
  parseQuoted,
  tvmInteger,
} from './scalarText';
import type { StackTextOptions, Word } from './stackTextContext';
import { StackTextContext, shown, stackTextError, suggestionFor } from './stackTextContext';

/** The words that start a value. */
const valueKeywords = [
  'true',
  'false',
  'null',
  'nan',
  'addr',
  'cell',
  'slice',
  'builder',
  'str',
  'b(',
] as const;

/** A tuple of the TVM holds at most 255 values; lists are chains and have no limit. */
const maximumTuple = 255;

/**
 * The values of a stack text, in order: `42 -1 0x2a 1.5ton true null nan addr EQ… cell te6… slice x{4A_} str "text"
 * b(u32 7, ref b(…)) [1, 2] (1, 2) @name`.
 * @throws WorkbenchError `stack-text-invalid` with `details.offset` and `details.length`
 */
export function parseStackText(text: string, options: StackTextOptions = {}): StackValue[] {
  const context = new StackTextContext(text, options);
  const values = parseSequence(context);
  if (!context.scanner.atEnd()) {
    const { position } = context.scanner;
    throw context.scanner.errorFrom(position, `“${context.scanner.peek()}” does not close anything`);
  }
  return values;
}

/** Reads values up to a closing bracket or the end. */
function parseSequence(context: StackTextContext): StackValue[] {
  const values: StackValue[] = [];
  parseEach(context, () => {
    context.count(context.scanner.position);
    values.push(parseValue(context));
    parseSeparator(context);
  });
  return values;
}

/** Skips the separator between two values: spaces, with at most one comma. */
export function parseSeparator({ scanner }: StackTextContext): void {
  const before = scanner.position;
  scanner.skipBlanks();
  const comma = scanner.position;
  if (scanner.take(',')) {
    scanner.skipBlanks();
    if (scanner.atEnd() || scanner.peek() === ',' || isCloser(scanner.peek())) {
      throw stackTextError({ offset: comma, length: 1, message: 'a value is missing after this comma' });
    }
  } else if (scanner.position === before && !scanner.atEnd() && !isCloser(scanner.peek())) {
    throw scanner.errorFrom(before, 'a space or comma is missing between two values');
  }
}

/** Reads one value of any kind at the position. */
export function parseValue(context: StackTextContext): StackValue {
  const { scanner } = context;
  const word = scanner.peekWord();
  if (word.text === '') {
    return parseBracket(context);
  }
  if (startsBuilder(context, word)) {
    return { type: 'cell', cell: parseBuilder(context) };
  }
  if (startsBits(context, word)) {
    return { type: 'slice', cell: parseBits(context) };
  }
  if (word.text.startsWith('@')) {
    const value = context.named(scanner.takeWord());
    if (value instanceof Address) {
      return addressSlice(value);
    }
    context.count(word.offset, value);
    return value;
  }
  if (looksLikeAddress(word.text)) {
    return addressSlice(parseAddressWord(context, scanner.takeWord()));
  }
  if (looksLikeNumber(word.text)) {
    return { type: 'int', value: parseInteger(context, tvmInteger) };
  }
  scanner.takeWord();
  return parseKeyword(context, word);
}

function parseKeyword(context: StackTextContext, word: Word): StackValue {
  switch (word.text) {
    case 'true':
      return { type: 'int', value: -1n };
    case 'false':
      return { type: 'int', value: 0n };
    case 'null':
      return { type: 'null' };
    case 'nan':
      return { type: 'nan' };
    case 'addr':
      return addressSlice(parseAddressOrNone(context));
    case 'str':
      return { type: 'slice', cell: stringToCell(parseQuoted(context)) };
    case 'code':
      return { type: 'cell', cell: parseCodeName(context) };
    case 'cell':
    case 'slice':
    case 'builder':
      return { type: word.text, cell: parseCellExpression(context, word.text) };
    default:
      throw unknownWordError(context, word);
  }
}

/** A tuple `[…]` or a list `(…)`. */
function parseBracket(context: StackTextContext): StackValue {
  const { scanner } = context;
  const start = scanner.position;
  const open = scanner.peek();
  if (open !== '[' && open !== '(') {
    throw unexpectedCharacterError(context);
  }
  const close = open === '[' ? ']' : ')';
  scanner.position++;
  const items = context.nested(start, () => parseSequence(context));
  if (!scanner.take(close)) {
    throw stackTextError({
      offset: scanner.position,
      length: scanner.atEnd() ? 0 : 1,
      message: scanner.atEnd()
        ? `missing closing ${close} of ${open} at position ${start + 1}`
        : `“${scanner.peek()}” does not close ${open} at position ${start + 1}`,
      expected: [close],
    });
  }
  if (open === '[' && items.length > maximumTuple) {
    throw scanner.errorFrom(
      start,
      `a tuple holds at most ${maximumTuple} values; this one has ${items.length}`,
    );
  }
  return { type: open === '[' ? 'tuple' : 'list', items };
}

function addressSlice(address: Address | null): StackValue {
  return { type: 'slice', cell: beginCell().storeAddress(address).endCell() };
}

/** Calls `read` for each item and its separator, up to a closing bracket or the end. */
export function parseEach({ scanner }: StackTextContext, read: () => void): void {
  scanner.skipBlanks();
  while (!scanner.atEnd() && !isCloser(scanner.peek())) {
    read();
  }
}

/** Whether there is a closing bracket here. */
export function isCloser(character: string): boolean {
  return character === ')' || character === ']' || character === '}';
}

function unexpectedCharacterError(context: StackTextContext): Error {
  const { scanner } = context;
  const character = scanner.peek();
  const start = scanner.position;
  if (character === ',') {
    return scanner.errorFrom(start, 'a value is missing before this comma');
  }
  if (character === '"' || character === "'") {
    const text = parseQuoted(context);
    return scanner.errorFrom(start, 'text needs str before it', {
      suggestion: `write str ${JSON.stringify(text)}`,
    });
  }
  return scanner.errorFrom(start, `“${character}” does not start a value`, { expected: [...valueKeywords] });
}

function unknownWordError({ scanner, options }: StackTextContext, word: Word): Error {
  const { text } = word;
  const fail = (message: string, suggestion: string | undefined): Error =>
    scanner.errorFrom(word.offset, message, {
      expected: [...valueKeywords],
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  const short = shown(word);
  if (/^(te6cc|b5ee9c72)/i.test(text)) {
    return fail('a bag of cells needs cell or slice before it', `write cell ${short} or slice ${short}`);
  }
  if (options.accounts?.has(text) === true || options.variables?.has(text) === true) {
    return fail(`the name ${text} needs @ before it`, `write @${text}`);
  }
  if (/^[0-9a-f]+$/i.test(text) && text.length > 5) {
    return fail(`“${short}” is not a value`, `write 0x${short} for a number or x{${short}} for bits`);
  }
  if (/^(?:[ui]\d+|coins|bool|ref|maybe)$/.test(text)) {
    return fail(`${text} is only allowed inside b(…)`, `write b(${text} …)`);
  }
  const alias = ownValue(aliases, text.toLowerCase());
  return fail(`“${short}” is not a value`, alias ?? suggestionFor(text, valueKeywords) ?? everyForm);
}

const everyForm =
  'a value is 42, 1.5ton, true, null, addr EQ…, cell te6cc…, slice x{…}, str "text", b(…), [1, 2] or (1, 2)';

/** Common words from elsewhere, and their equivalents here. */
const aliases: Readonly<Record<string, string>> = {
  b: 'a cell is built with b(…), without a space before the bracket',
  x: 'bits are written x{…}, without a space before the bracket',
  address: 'did you mean addr?',
  string: 'did you mean str?',
  text: 'did you mean str?',
  int: 'numbers are written without a type: 42',
  num: 'numbers are written without a type: 42',
  number: 'numbers are written without a type: 42',
  none: 'write null, or addr none for the empty address',
  undefined: 'did you mean null?',
  boc: 'did you mean cell?',
  tuple: 'write a tuple as [1, 2]',
  list: 'write a list as (1, 2)',
  cont: 'a continuation cannot be sent',
  continuation: 'a continuation cannot be sent',
};
