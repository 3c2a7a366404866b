import type { Cell } from '@ton/core';
import assert from 'node:assert/strict';
import type { Boc } from '../../../../src/toolkit/cell/boc';

/** Whether `boc` says the same about every cell below its roots as @ton/core: data, kind, levels, hashes, depths. */
export function assertSameCells(boc: Boc, roots: readonly Cell[]): void {
  assert.equal(boc.roots.length, roots.length);
  const seen = new Set<number>();
  const pairs = roots.map((root, i): [number, Cell] => [boc.roots[i]!, root]);
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [number, cell] = pair;
    if (seen.has(number)) {
      continue;
    }
    seen.add(number);
    assert.equal(boc.bitLength(number), cell.bits.length);
    assert.equal(boc.referenceCount(number), cell.refs.length);
    assert.equal(boc.levelMask(number), cell.mask.value);
    assert.equal(boc.level(number), cell.level());
    assert.equal(boc.kind(number) !== 'ordinary', cell.isExotic);
    for (let level = 0; level <= 3; level++) {
      assert.equal(boc.hashHex(number, level), cell.hash(level).toString('hex'), `hash on level ${level}`);
      assert.equal(boc.depth(number, level), cell.depth(level), `depth on level ${level}`);
    }
    cell.refs.forEach((child, i) => pairs.push([boc.reference(number, i), child]));
  }
}
