import { BitString, Cell } from '@ton/core';
import type { Boc } from './boc';

/** The cell and its subtree as @ton/core cells; shared cells stay shared. Costs that library's hashing. */
export function toCoreCell(boc: Boc, cell: number): Cell {
  const made = new Map<number, Cell>();
  const stack = [cell];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const missing = made.has(top) ? [] : boc.references(top).filter((child) => !made.has(child));
    if (missing.length > 0) {
      stack.push(...missing);
      continue;
    }
    if (!made.has(top)) {
      const data = Buffer.from(boc.data(top));
      const bits = new BitString(data, 0, boc.bitLength(top));
      const refs = boc.references(top).map((child) => made.get(child)!);
      made.set(top, new Cell({ bits, refs, exotic: boc.kind(top) !== 'ordinary' }));
    }
    stack.pop();
  }
  return made.get(cell)!;
}
