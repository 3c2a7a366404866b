import { Address, Dictionary, beginCell } from '@ton/core';
import type { Transaction } from '@ton/core';

/** A transaction whose code could not run for want of gas. */
export const sampleTransaction: Transaction = {
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
