import type { Builder, Cell } from '@ton/core';
import { Address, BitString, beginCell } from '@ton/core';

/**
 * A value as stack text that {@link parseStackText} reads back to the same value: a slice of an address as `addr …`,
 * one of a plain text as `str "…"`, a short one as `x{…}`, other cells in base64. Values that cannot be written are
 * shown in angle brackets.
 */
export function printStackValue(value: StackValue): string {
  switch (value.type) {
    case 'int':
      return value.value.toString();
    case 'nan':
    case 'null':
      return value.type;
    case 'cell':
    case 'builder':
      return `${value.type} ${printCell(value.cell)}`;
    case 'slice':
      return printSlice(value.cell);
    case 'tuple':
      return `[${value.items.map(printStackValue).join(', ')}]`;
    case 'list':
      return `(${value.items.map(printStackValue).join(', ')})`;
    case 'unsupported':
      return `<${value.description}>`;
  }
}

/** Several values, one per argument. */
export function printStack(values: readonly StackValue[]): string {
  return values.map(printStackValue).join(' ');
}

/** Maximum bits that are readable as hex. */
const readableBits = 128;

function printSlice(cell: Cell): string {
  const address = cellToAddress(cell);
  if (address !== undefined) {
    return `addr ${address.toString()}`;
  }
  const text = plainText(cell);
  return text === undefined ? `slice ${printCell(cell)}` : `str ${JSON.stringify(text)}`;
}

/** A cell as stack text without its stack type, for places that imply it. */
export function printCell(cell: Cell): string {
  const isShort = !cell.isExotic && cell.refs.length === 0 && cell.bits.length <= readableBits;
  return isShort ? printBits(cell.bits) : cell.toBoc().toString('base64');
}

/** Returns text of at least four printable characters that produces this exact cell when written back. */
function plainText(cell: Cell): string | undefined {
  const text = cellToString(cell);
  if (text === undefined || text.length < 4 || !/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(text)) {
    return undefined;
  }
  return stringToCell(text).equals(cell) ? text : undefined;
}

/**
 * One value of the TVM stack, as written by the user and carried by the APIs. A slice or a builder is held as the
 * cell of its remaining bits and references.
 */
export type StackValue =
  | { type: 'int'; value: bigint }
  | { type: 'nan' }
  | { type: 'null' }
  | { type: 'cell' | 'slice' | 'builder'; cell: Cell }
  | { type: 'tuple' | 'list'; items: StackValue[] }
  /** A value that an API could not carry (a continuation, for example). Shown, never sent. */
  | { type: 'unsupported'; description: string };

/** Bits of an internal address without anycast (addr_std: tag 2, anycast flag 1, workchain 8, hash 256). */
const addressBits = 267;

/** The address that exactly fills the cell (addr_std without anycast, no references), else undefined. */
export function cellToAddress(cell: Cell): Address | undefined {
  if (cell.isExotic || cell.refs.length !== 0 || cell.bits.length !== addressBits) {
    return undefined;
  }
  const slice = cell.beginParse();
  if (slice.loadUint(3) !== 0b100) {
    return undefined;
  }
  return new Address(slice.loadInt(8), slice.loadBuffer(32));
}

/** Bits, or why the text is invalid; `index` is the position in the text. */
type BitsReading = { bits: BitString } | { problem: string; index: number; length: number };

/**
 * Reads the inside of `x{…}` in Fift notation: hex digits; a closing `_` drops the last 1 bit and the zeros after it.
 */
export function readBits(text: string): BitsReading {
  const wrong = /[^0-9a-f_]/i.exec(text) ?? /_(?!$)/.exec(text);
  if (wrong !== null) {
    const reason = wrong[0] === '_' ? '“_” is only allowed at the end' : `“${wrong[0]}” is not a hex digit`;
    return { problem: reason, index: wrong.index, length: wrong[0].length };
  }
  const tagged = text.endsWith('_');
  const digits = tagged ? text.slice(0, -1) : text;
  let length = digits.length * 4;
  if (tagged) {
    const lastOne = lastSetBit(digits);
    if (lastOne === undefined) {
      return { problem: '“_” must follow a 1 bit, which it drops', index: text.length - 1, length: 1 };
    }
    length = lastOne;
  }
  if (length > 1023) {
    return { problem: `a cell holds 1023 bits, not ${length}`, index: 0, length: text.length };
  }
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
  return { bits: new BitString(bytes, 0, length) };
}

/** `x{…}` with the completion tag if the bits do not fill their last hex digit. */
export function printBits(bits: BitString): string {
  return `x{${bits.toString()}}`;
}

/** Index of the last 1 bit of a hex number, counted from the left; undefined if there is none. */
function lastSetBit(digits: string): number | undefined {
  for (let index = digits.length - 1; index >= 0; index--) {
    const digit = Number.parseInt(digits.charAt(index), 16);
    if (digit !== 0) {
      return index * 4 + 3 - Math.log2(digit & -digit);
    }
  }
  return undefined;
}

/** Whole bytes that fit into one cell. */
const bytesPerCell = 127;

/** The UTF-8 bytes of `text` as a cell; after 127 bytes, the rest follows in references, one per cell (snake). */
export function stringToCell(text: string): Cell {
  return appendString(beginCell(), text).endCell();
}

/** Appends the UTF-8 bytes of `text`: as many as fit into the builder, the rest as a snake in a reference. */
export function appendString(builder: Builder, text: string): Builder {
  const bytes = Buffer.from(text, 'utf8');
  const head = bytes.subarray(0, Math.floor(builder.availableBits / 8));
  builder.storeBuffer(head);
  const tail = snake(bytes.subarray(head.length));
  return tail === undefined ? builder : builder.storeRef(tail);
}

function snake(bytes: Buffer): Cell | undefined {
  let next: Cell | undefined;
  const cells = Math.ceil(bytes.length / bytesPerCell);
  for (let index = cells - 1; index >= 0; index--) {
    const builder = beginCell().storeBuffer(bytes.subarray(index * bytesPerCell, (index + 1) * bytesPerCell));
    next = (next === undefined ? builder : builder.storeRef(next)).endCell();
  }
  return next;
}

/**
 * The text of a cell of whole bytes, its only reference (if any) followed as a snake; undefined if the cell has
 * another shape or its bytes are not valid UTF-8. Control characters are left to the caller.
 */
export function cellToString(cell: Cell): string | undefined {
  const chunks: Uint8Array[] = [];
  let current: Cell | undefined = cell;
  while (current !== undefined) {
    const { bits, refs }: Cell = current;
    if (current.isExotic || bits.length % 8 !== 0 || refs.length > 1) {
      return undefined;
    }
    chunks.push(bits.subbuffer(0, bits.length) ?? Buffer.alloc(0));
    current = refs[0];
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}
