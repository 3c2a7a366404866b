import type { Cell, Slice } from '@ton/core';
import type { WorkBudget } from '../limits';

/**
 * Calls `visit` with every entry of a dictionary (HashmapE without its first bit, block.tlb), in the order of the
 * keys read as unsigned numbers. Exotic (pruned) branches are skipped.
 *
 * Dictionaries from the chain must be read with this and not with `Dictionary.load` of @ton/core: n cells that share
 * references can hold 2^n entries. Each visit of a cell spends one unit of `budget`.
 *
 * @param keyBits bits of a key
 * @param visit is given the value, and the cell that it is the rest of
 * @throws WorkbenchError `over-limit` if the budget is used up; Error if the cell is not a dictionary with such keys
 */
export function readDictionary(
  root: Cell,
  keyBits: number,
  budget: WorkBudget,
  visit: (key: bigint, value: Slice, cell: Cell) => void,
): void {
  const waiting = [{ cell: root, prefix: 0n, left: keyBits }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    budget.spend();
    if (next.cell.isExotic && next.cell !== root) {
      continue;
    }
    const slice = next.cell.beginParse();
    const label = readLabel(slice, next.left);
    const prefix = (next.prefix << BigInt(label.bits)) | label.value;
    const left = next.left - label.bits;
    if (left === 0) {
      visit(prefix, slice, next.cell);
      continue;
    }
    const [zero, one] = [slice.loadRef(), slice.loadRef()];
    waiting.push({ cell: one, prefix: (prefix << 1n) | 1n, left: left - 1 });
    waiting.push({ cell: zero, prefix: prefix << 1n, left: left - 1 });
  }
}

/** HmLabel of block.tlb, at most `most` bits. */
function readLabel(slice: Slice, most: number): { value: bigint; bits: number } {
  const lengthBits = 32 - Math.clz32(most);
  let bits = 0;
  let value = 0n;
  if (!slice.loadBit()) {
    while (slice.loadBit()) {
      bits++;
    }
    value = bits > most ? 0n : slice.loadUintBig(bits);
  } else if (!slice.loadBit()) {
    bits = slice.loadUint(lengthBits);
    value = bits > most ? 0n : slice.loadUintBig(bits);
  } else {
    const isOnes = slice.loadBit();
    bits = slice.loadUint(lengthBits);
    value = isOnes && bits <= most ? (1n << BigInt(bits)) - 1n : 0n;
  }
  if (bits > most) {
    throw new Error('the label is longer than the key');
  }
  return { value, bits };
}
