import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import type { Cell } from '@ton/core';

/**
 * Runs `work` and fails where it takes longer than hostile input may: far above what a bound costs, far below what the
 * faults took that it guards against (seconds to forever). Counts the processor's time: the machine may be busy.
 */
export function quickly<T>(work: () => T, mostMs = 2000): T {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  const took = (user + system) / 1000;
  assert.ok(took < mostMs, `took ${Math.round(took)} ms`);
  return result;
}

/** A dictionary with every key of `depth` bits in `depth` + 1 cells; above it a label for the other bits of the key. */
export function dictionaryBomb(keyBits: number, depth: number, value: Cell = beginCell().endCell()): Cell {
  let cell = beginCell().storeUint(0b00, 2).storeRef(value).endCell();
  for (let level = 1; level < depth; level++) {
    cell = beginCell().storeUint(0b00, 2).storeRef(cell).storeRef(cell).endCell();
  }
  const rest = keyBits - depth;
  const label = beginCell();
  if (rest > 0) {
    // hml_same of zeros
    label.storeUint(0b110, 3).storeUint(rest, 32 - Math.clz32(keyBits));
  } else {
    label.storeUint(0b00, 2);
  }
  return label.storeRef(cell).storeRef(cell).endCell();
}

/** 4^depth cells when every reference is followed, in `depth` + 1 cells. */
export function foldedTree(depth: number): Cell {
  let cell = beginCell().storeUint(7, 8).endCell();
  for (let level = 0; level < depth; level++) {
    const builder = beginCell().storeUint(level, 8);
    [0, 1, 2, 3].forEach(() => builder.storeRef(cell));
    cell = builder.endCell();
  }
  return cell;
}
