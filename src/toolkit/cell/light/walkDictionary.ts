import { WorkBudget } from '../../limits';
import { BitCursor } from './bitCursor';
import type { LightCell } from './lightCell';

/**
 * Visits a Hashmap's leaves in the order of their keys (unsigned).
 * @param root the top edge, without the "not empty" bit of a HashmapE
 * @throws WorkbenchError `over-limit`: n cells that refer to one another can hold 2^n leaves
 */
export function walkDictionary(
  root: LightCell,
  keyBits: number,
  visit: (key: bigint, value: BitCursor) => void,
): void {
  walk(root, keyBits, 0n, visit, new WorkBudget('dictionaryCells'));
}

function walk(
  cell: LightCell,
  left: number,
  prefix: bigint,
  visit: (key: bigint, value: BitCursor) => void,
  budget: WorkBudget,
): void {
  budget.spend();
  const cursor = new BitCursor(cell);
  const label = readLabel(cursor, left);
  const key = (prefix << BigInt(label.length)) | label.bits;
  const below = left - label.length;
  if (below === 0) {
    visit(key, cursor);
    return;
  }
  walk(cursor.ref(), below - 1, key << 1n, visit, budget);
  walk(cursor.ref(), below - 1, (key << 1n) | 1n, visit, budget);
}

function readLabel(cursor: BitCursor, maximum: number): { length: number; bits: bigint } {
  const lengthBits = maximum === 0 ? 0 : 32 - Math.clz32(maximum);
  if (!cursor.bit()) {
    let length = 0;
    while (cursor.bit()) {
      length += 1;
    }
    return { length, bits: cursor.bigUint(length) };
  }
  if (!cursor.bit()) {
    const length = cursor.uint(lengthBits);
    return { length, bits: cursor.bigUint(length) };
  }
  const one = cursor.bit();
  const length = cursor.uint(lengthBits);
  return { length, bits: one ? (1n << BigInt(length)) - 1n : 0n };
}
