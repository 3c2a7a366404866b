import type { V3StackEntry } from '../../api/v3Mirrored';
import { hexNumber } from '../api/hexNumber';
import type { TupleItem } from '@ton/core';
import { Cell } from '@ton/core';
import { ApiError } from '../api/apiError';

/** Arguments of a get-method: only numbers, cells, and slices, as in the service. */
export function decodeStack(stack: unknown): TupleItem[] {
  if (stack !== undefined && stack !== null && !Array.isArray(stack)) {
    throw new ApiError(422, 'failed to decode: stack must be a list');
  }
  return ((stack ?? []) as unknown[]).map((given) => {
    const entry = (typeof given === 'object' && given !== null ? given : {}) as Readonly<
      Record<string, unknown>
    >;
    switch (entry.type) {
      case 'num':
        return { type: 'int', value: decodeNumber(entry.value) };
      case 'cell':
        return { type: 'cell', cell: decodeCell(entry.value) };
      case 'slice':
        return { type: 'slice', cell: decodeCell(entry.value) };
      default:
        throw new ApiError(500, `unsupported stack parameter type: ${String(entry.type)}`);
    }
  });
}

function decodeNumber(value: unknown): bigint {
  const match = /^(-?)(0x[0-9a-f]+|\d+)$/i.exec(String(value));
  if (match === null) {
    throw new ApiError(500, `Invalid number: ${String(value)}`);
  }
  const size = BigInt(match[2] as string);
  return match[1] === '-' ? -size : size;
}

function decodeCell(value: unknown): Cell {
  try {
    return Cell.fromBase64(String(value));
  } catch {
    throw new ApiError(500, 'Invalid cell, base64 string expected');
  }
}

/** A result. A slice is tagged `cell` at the top level and `slice` inside a tuple; null is an empty list. */
export function encodeStack(items: readonly TupleItem[]): V3StackEntry[] {
  return items.map((item) => encodeItem(item, true));
}

function encodeItem(item: TupleItem, top: boolean): V3StackEntry {
  switch (item.type) {
    case 'int':
      return { type: 'num', value: hexNumber(item.value) };
    case 'cell':
      return { type: 'cell', value: item.cell.toBoc().toString('base64') };
    case 'slice':
      return { type: top ? 'cell' : 'slice', value: item.cell.toBoc().toString('base64') };
    case 'tuple':
      return { type: 'tuple', value: item.items.map((inner) => encodeItem(inner, false)) };
    case 'null':
      return { type: 'list', value: [] };
    default:
      return { type: 'unsupported', value: '' };
  }
}
