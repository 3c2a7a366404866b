import type { TupleItem } from '@ton/core';
import { Cell, parseTuple } from '@ton/core';
import type { Boc } from '../cell/boc';
import { readBoc } from '../cell/readBoc';

/**
 * A get-method's result stack (block.tlb, VmStack), from a BoC in base64. Most hold only numbers, and reading those
 * from the bytes is several times faster than with @ton/core, which hashes every cell in JavaScript; it reads the
 * rest.
 */
export function readStack(base64: string): TupleItem[] {
  return readNumbers(readBoc(Buffer.from(base64, 'base64'))) ?? parseTuple(Cell.fromBase64(base64));
}

/** Bits before the first entry: the number of entries. */
const countBits = 24;

/** Undefined if there is anything but numbers and nulls. The top of the stack is in the root. */
function readNumbers(boc: Boc): TupleItem[] | undefined {
  let cell = boc.roots[0] ?? 0;
  const root = boc.data(cell);
  const count = ((root[0] ?? 0) << 16) | ((root[1] ?? 0) << 8) | (root[2] ?? 0);
  const items: TupleItem[] = [];
  for (let place = 0; place < count; place += 1) {
    const item = readNumber(boc.data(cell), place === 0 ? countBits / 8 : 0);
    if (item === undefined) {
      return undefined;
    }
    items.push(item);
    if (place < count - 1 || boc.referenceCount(cell) > 0) {
      cell = boc.reference(cell, 0);
    }
  }
  return items.reverse();
}

/** An entry that begins at byte `at`: vm_stk_null, vm_stk_tinyint, vm_stk_int, vm_stk_nan. */
function readNumber(data: Uint8Array, at: number): TupleItem | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  switch (bytes[at]) {
    case 0:
      return { type: 'null' };
    case 1:
      return { type: 'int', value: bytes.readBigInt64BE(at + 1) };
    case 2: {
      // Seven zero bits and the 257 of the number, so that the last bit of this byte is the sign.
      const second = bytes[at + 1] ?? 0;
      if (second > 1) {
        return second === 0xff ? { type: 'nan' } : undefined;
      }
      const magnitude = BigInt(`0x${bytes.toString('hex', at + 2, at + 34)}`);
      return { type: 'int', value: second === 1 ? magnitude - (1n << 256n) : magnitude };
    }
    default:
      return undefined;
  }
}
