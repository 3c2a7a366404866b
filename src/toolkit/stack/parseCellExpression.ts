import type { Builder, Cell } from '@ton/core';
import { Address, beginCell } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import { readProblem } from '../base/readUserFile';
import { appendString, readBits, stringToCell } from './stackValue';
import { readBocText } from './readBocText';
import { parseAddressOrNone, parseInteger, parseQuoted } from './scalarText';
import type { StackTextContext, Word } from './stackTextContext';
import { shown, stackTextError, suggestionFor } from './stackTextContext';

/** Items allowed inside `b(…)`. */
const builderItems = [
  'u32',
  'i32',
  'coins',
  'bool',
  'addr',
  'str',
  'ref',
  'maybe',
  'slice',
  'x{',
  'b(',
] as const;

/** What starts a cell. */
const cellForms = ['te6cc…', 'x{', 'b(', 'str', 'addr', 'file'] as const;

/**
 * Reads a cell in any of its forms: `te6cc…` (base64 or hex), `x{4A_}`, `b(…)`, `str "text"`, `addr EQ…`, or `@name`
 * of a cell or slice. `keyword` precedes it and is named in messages.
 */
export function parseCellExpression(context: StackTextContext, keyword: string): Cell {
  const { scanner } = context;
  scanner.skipBlanks();
  const word = scanner.peekWord();
  if (startsBuilder(context, word)) {
    return parseBuilder(context);
  }
  if (startsBits(context, word)) {
    return parseBits(context);
  }
  scanner.takeWord();
  if (word.text === '') {
    throw scanner.errorFrom(word.offset, `a cell is missing after ${keyword}`, {
      expected: [...cellForms],
      suggestion: cellForm(keyword),
    });
  }
  if (word.text.startsWith('@')) {
    return namedCell(context, word, keyword);
  }
  if (word.text === 'str') {
    return stringToCell(parseQuoted(context));
  }
  if (word.text === 'addr') {
    return beginCell().storeAddress(parseAddressOrNone(context)).endCell();
  }
  if (word.text === 'file') {
    return parseCellFile(context);
  }
  if (word.text === 'code') {
    return parseCodeName(context);
  }
  if (word.text.length < 8) {
    throw scanner.errorFrom(word.offset, `“${shown(word)}” is not a cell`, {
      expected: [...cellForms],
      suggestion: cellForm(keyword),
    });
  }
  const reading = readBocText(word.text);
  if ('problem' in reading) {
    const { problem, index, length, suggestion } = reading;
    throw stackTextError({ offset: word.offset + index, length, message: problem, suggestion });
  }
  return reading.cell;
}

/** What can stand after a keyword, and what a name was probably meant as. */
function cellForm(keyword: string): string {
  const also = { slice: '; for an account, addr alice', cell: '; for the code of a contract, code NAME' }[
    keyword
  ];
  return `write ${keyword} te6cc…, ${keyword} x{…} or ${keyword} b(…)${also ?? ''}`;
}

/** Reads the name after `code`: that of a contract of the project, or the path of its source. */
export function parseCodeName(context: StackTextContext): Cell {
  const { scanner, options } = context;
  scanner.skipBlanks();
  const word = scanner.takeWord();
  const code = options.codes?.get(word.text);
  if (code !== undefined) {
    return code;
  }
  const names = [...(options.codes?.keys() ?? [])];
  throw scanner.errorFrom(
    word.offset,
    word.text === ''
      ? 'the name of a contract is missing after code'
      : options.codes === undefined
        ? `the code of ${shown(word)} cannot be read here`
        : `no contract of the project is called ${shown(word)}`,
    {
      expected: names,
      suggestion: suggestionFor(word.text, names) ?? 'write code and the name of a contract',
    },
  );
}

/** Reads the path after `file` and the bag of cells in that file, as bytes, hex, or base64. */
function parseCellFile(context: StackTextContext): Cell {
  const { scanner } = context;
  scanner.skipBlanks();
  const start = scanner.position;
  const path = parseQuoted(context, 'file');
  if (context.options.readFile === undefined) {
    throw scanner.errorFrom(start, 'files cannot be read here');
  }
  let bytes: Buffer;
  try {
    bytes = Buffer.from(context.options.readFile(path));
  } catch (error) {
    throw scanner.errorFrom(
      start,
      WorkbenchError.is(error)
        ? error.message.replace(/\.$/, '')
        : `the file ${JSON.stringify(path)} ${readProblem(error)}`,
    );
  }
  const isText = /^[\sA-Za-z0-9+/=_-]*$/.test(bytes.toString('latin1'));
  const reading = readBocText(
    isText ? bytes.toString('latin1').replace(/\s+/g, '') : bytes.toString('base64'),
  );
  if ('problem' in reading) {
    throw scanner.errorFrom(start, `the file does not contain a cell: ${reading.problem}`);
  }
  return reading.cell;
}

/** Whether `b(` starts here. */
export function startsBuilder({ scanner }: StackTextContext, word: Word): boolean {
  return word.text === 'b' && scanner.characterAfter(word) === '(';
}

/** Whether `x{` starts here. */
export function startsBits({ scanner }: StackTextContext, word: Word): boolean {
  return word.text === 'x' && scanner.characterAfter(word) === '{';
}

/** Reads `x{…}`. */
export function parseBits({ scanner }: StackTextContext): Cell {
  const start = scanner.position;
  const inner = start + 2;
  const end = scanner.text.indexOf('}', inner);
  if (end < 0) {
    throw stackTextError({
      offset: start,
      length: scanner.text.length - start,
      message: 'missing closing } of x{…}',
    });
  }
  const reading = readBits(scanner.text.slice(inner, end));
  if ('problem' in reading) {
    throw stackTextError({ offset: inner + reading.index, length: reading.length, message: reading.problem });
  }
  scanner.position = end + 1;
  return beginCell().storeBits(reading.bits).endCell();
}

/** Reads `b(…)`. */
export function parseBuilder(context: StackTextContext): Cell {
  const { scanner } = context;
  const start = scanner.position;
  scanner.position += 2;
  const builder = beginCell();
  context.nested(start, () => {
    while (!closes(context, start)) {
      parseItem(context, builder);
      parseSeparator(context, start);
    }
  });
  return builder.endCell();
}

function closes({ scanner }: StackTextContext, start: number): boolean {
  scanner.skipBlanks();
  if (scanner.atEnd()) {
    throw stackTextError({
      offset: scanner.position,
      length: 0,
      message: `missing closing ) of b( at position ${start + 1}`,
      expected: [')', ...builderItems],
    });
  }
  return scanner.take(')');
}

function parseSeparator({ scanner }: StackTextContext, start: number): void {
  const before = scanner.position;
  scanner.skipBlanks();
  const comma = scanner.position;
  if (scanner.take(',')) {
    scanner.skipBlanks();
    if (scanner.peek() === ',' || scanner.peek() === ')') {
      throw stackTextError({ offset: comma, length: 1, message: 'nothing follows this comma' });
    }
  } else if (scanner.peek() === ']' || scanner.peek() === '}') {
    throw scanner.errorFrom(comma, `“${scanner.peek()}” does not close b( at position ${start + 1}`, {
      expected: [')'],
    });
  } else if (scanner.position === before && !scanner.atEnd() && scanner.peek() !== ')') {
    throw scanner.errorFrom(before, 'a comma is missing');
  }
}

/** Reads one item and appends it, after checking that there is room. */
function parseItem(context: StackTextContext, builder: Builder): void {
  const { scanner } = context;
  const start = scanner.position;
  const item = parseItemContent(context);
  const bits = 1023 - builder.availableBits;
  const isText = typeof item === 'string';
  if (isText ? builder.refs === 4 && Buffer.byteLength(item) * 8 > 1023 - bits : item.bits > 1023 - bits) {
    const needed = isText ? Buffer.byteLength(item) * 8 : item.bits;
    throw scanner.errorFrom(
      start,
      `the cell is full: this needs ${needed} bits, but only ${1023 - bits} are left`,
      {
        suggestion: 'move a part into ref b(…)',
      },
    );
  }
  if (isText) {
    appendString(builder, item);
    return;
  }
  if (builder.refs + item.refs > 4) {
    throw scanner.errorFrom(start, 'the cell is full: it has 4 references already', {
      suggestion: 'move some into ref b(…)',
    });
  }
  builder.storeBuilder(item);
}

/** The content of one item, as a separate builder; a text stays a text, because it may be split. */
function parseItemContent(context: StackTextContext): Builder | string {
  const { scanner } = context;
  const word = scanner.peekWord();
  if (startsBuilder(context, word)) {
    return parseBuilder(context).asBuilder();
  }
  if (startsBits(context, word)) {
    return parseBits(context).asBuilder();
  }
  scanner.takeWord();
  switch (word.text) {
    case 'coins':
      return beginCell().storeCoins(parseInteger(context, { name: 'coins', bits: 120, signed: false }));
    case 'addr':
      return beginCell().storeAddress(parseAddressOrNone(context));
    case 'bool':
      return beginCell().storeBit(parseBoolean(context));
    case 'str':
      return parseQuoted(context);
    case 'ref':
      return beginCell().storeRef(parseCellExpression(context, 'ref'));
    case 'maybe':
      return beginCell().storeMaybeRef(parseMaybeCell(context));
    case 'slice':
      return parseCellExpression(context, 'slice').asBuilder();
    default:
      return parseSizedInteger(context, word);
  }
}

/** `u1` to `u256`, `i1` to `i257`. */
function parseSizedInteger(context: StackTextContext, word: Word): Builder {
  const match = /^([ui])(\d{1,4})$/.exec(word.text);
  if (match === null) {
    throw unknownItemError(context, word);
  }
  const signed = match[1] === 'i';
  const bits = Number(match[2]);
  const most = signed ? 257 : 256;
  if (bits < 1 || bits > most) {
    throw context.scanner.errorFrom(word.offset, `the width of ${word.text} must be 1 to ${most}`);
  }
  const value = parseInteger(context, { name: word.text, bits, signed });
  return signed ? beginCell().storeInt(value, bits) : beginCell().storeUint(value, bits);
}

function parseBoolean({ scanner }: StackTextContext): boolean {
  scanner.skipBlanks();
  const word = scanner.takeWord();
  if (word.text !== 'true' && word.text !== 'false') {
    throw scanner.errorFrom(word.offset, 'true or false is missing after bool', {
      expected: ['true', 'false'],
    });
  }
  return word.text === 'true';
}

function parseMaybeCell(context: StackTextContext): Cell | null {
  context.scanner.skipBlanks();
  if (context.scanner.peekWord().text === 'none') {
    context.scanner.takeWord();
    return null;
  }
  return parseCellExpression(context, 'maybe');
}

function namedCell(context: StackTextContext, word: Word, keyword: string): Cell {
  const value = context.named(word);
  if (value instanceof Address) {
    return beginCell().storeAddress(value).endCell();
  }
  if (value.type !== 'cell' && value.type !== 'slice' && value.type !== 'builder') {
    throw context.scanner.errorFrom(word.offset, `a cell is needed after ${keyword}, not ${word.text}`);
  }
  return value.cell;
}

function unknownItemError({ scanner }: StackTextContext, word: Word): Error {
  if (word.text === '') {
    return scanner.errorFrom(word.offset, `“${scanner.peek()}” is not allowed inside b(…)`, {
      expected: [...builderItems],
    });
  }
  if (/^[-+]?\d/.test(word.text)) {
    return scanner.errorFrom(word.offset, 'a number inside b(…) needs its width', {
      expected: ['u32', 'i32', 'coins'],
      suggestion: `write u32 ${word.text}, or coins ${word.text}`,
    });
  }
  const candidates = ['coins', 'bool', 'addr', 'str', 'ref', 'maybe', 'slice'];
  const alias = { uint: 'u', int: 'i' }[/^(u?int)\d+$/.exec(word.text)?.[1] ?? ''];
  return scanner.errorFrom(word.offset, `“${shown(word)}” is not allowed inside b(…)`, {
    expected: [...builderItems],
    suggestion:
      alias === undefined
        ? (suggestionFor(word.text, candidates) ?? `known here: u32, i32, ${candidates.join(', ')}`)
        : `did you mean ${word.text.replace(/^u?int/, alias)}?`,
  });
}
