import type { Cell } from '@ton/core';
import { printBits } from './bitsText';
import { cellToAddress } from './cellToAddress';
import type { StackValue } from './stackValue';
import { cellToString, stringToCell } from './stringCell';

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
