import assert from 'node:assert/strict';
import { beginCell, loadTransaction, storeTransaction } from '@ton/core';
import type { Builder, Cell, Slice } from '@ton/core';
import { loadAnyTransaction } from '../../../src/toolkit/cell/loadFolded';
import { sampleTransaction as skipped } from './support/sampleTransaction';

/** The transaction with its reason (two bits, no_gas$10) written as block.tlb has it for a suspended address: $110. */
function suspended(transaction: Cell): Cell {
  const description = transaction.refs.at(-1) as Cell;
  const slice = description.beginParse();
  const builder = beginCell();
  // ord, credit_first, storage phase: 1 + (4 + 8) + 1 + (4 + 8) + 2; credit phase: 1 + 1 + (4 + 8) + 1
  move(slice, builder, 5 + 28 + 15);
  assert.equal(slice.loadUint(3), 0b010);
  builder.storeUint(0b0110, 4).storeSlice(slice);
  const result = beginCell().storeBits(transaction.bits);
  [...transaction.refs.slice(0, -1), builder.endCell()].forEach((reference) => result.storeRef(reference));
  return result.endCell();
}

function move(slice: Slice, builder: Builder, bits: number): void {
  builder.storeBits(slice.loadBits(bits));
}

describe('loadAnyTransaction', () => {
  const plain = beginCell().store(storeTransaction(skipped)).endCell();

  it('reads a transaction of a suspended account, which the library refuses', () => {
    const cell = suspended(plain);
    assert.throws(() => loadTransaction(cell.beginParse()), /Unknown ComputeSkipReason/);
    const read = loadAnyTransaction(cell);
    assert.deepEqual(read.hash(), cell.hash());
    assert.ok(read.raw.equals(cell));
    assert.ok(read.description.type === 'generic' && skipped.description.type === 'generic');
    assert.deepEqual(read.description.computePhase, { type: 'skipped', reason: 'suspended' });
    const { storagePhase, creditPhase, bouncePhase, aborted } = read.description;
    assert.deepEqual(storagePhase, skipped.description.storagePhase);
    assert.equal(creditPhase?.credit.coins, 7n);
    assert.deepEqual([bouncePhase?.type, aborted], ['negative-funds', true]);
  });

  it('reads any other like the library, and refuses anything else', () => {
    assert.deepEqual(loadAnyTransaction(plain).description, loadTransaction(plain.beginParse()).description);
    assert.throws(() => loadAnyTransaction(beginCell().storeUint(0, 32).endCell()));
  });
});
