import assert from 'node:assert/strict';
import { Address, Dictionary, beginCell, loadTransaction, storeTransaction } from '@ton/core';
import type { Builder, Cell, Slice, Transaction } from '@ton/core';
import { loadAnyTransaction } from '../../../src/toolkit/cell/loadAnyTransaction';

const skipped: Transaction = {
  address: 5n,
  lt: 100n,
  prevTransactionHash: 0n,
  prevTransactionLt: 0n,
  now: 1_700_000_000,
  outMessagesCount: 0,
  oldStatus: 'uninitialized',
  endStatus: 'uninitialized',
  inMessage: {
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: new Address(0, Buffer.alloc(32, 1)),
      dest: new Address(0, Buffer.alloc(32, 2)),
      value: { coins: 7n },
      ihrFee: 0n,
      forwardFee: 3n,
      createdLt: 99n,
      createdAt: 1_700_000_000,
    },
    init: null,
    body: beginCell().endCell(),
  },
  outMessages: Dictionary.empty(),
  totalFees: { coins: 1n },
  stateUpdate: { oldHash: Buffer.alloc(32, 3), newHash: Buffer.alloc(32, 4) },
  description: {
    type: 'generic',
    creditFirst: false,
    storagePhase: { storageFeesCollected: 1n, storageFeesDue: 12n, statusChange: 'frozen' },
    creditPhase: { dueFeesColelcted: undefined, credit: { coins: 7n } },
    computePhase: { type: 'skipped', reason: 'no-gas' },
    actionPhase: undefined,
    bouncePhase: { type: 'negative-funds' },
    aborted: true,
    destroyed: false,
  },
  raw: beginCell().endCell(),
  hash: () => Buffer.alloc(32),
};

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

  it('reads a transaction whose account is suspended, which the library refuses', () => {
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

  it('reads any other as the library does, and refuses what is none', () => {
    assert.deepEqual(loadAnyTransaction(plain).description, loadTransaction(plain.beginParse()).description);
    assert.throws(() => loadAnyTransaction(beginCell().storeUint(0, 32).endCell()));
  });
});
