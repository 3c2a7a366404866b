import assert from 'node:assert/strict';
import { cancelCycles } from '../../../../src/toolkit/trace/page/cancelCycles';
import type { Payment } from '../../../../src/toolkit/trace/page/cancelCycles';

const told = (payments: readonly Payment[]): string[] =>
  payments.map(({ from, to, amount }) => `${from} → ${to} ${amount}`);

describe('round trips', () => {
  it('between two parties leave the difference', () => {
    const payments = [
      { from: 0, to: 1, amount: 10n },
      { from: 1, to: 0, amount: 7n },
      { from: 1, to: 1, amount: 5n },
    ];
    assert.deepEqual(told(cancelCycles(payments)), ['0 → 1 3']);
  });

  it('through others leave what stayed on the way', () => {
    const payments = [
      { from: 0, to: 1, amount: 10n },
      { from: 1, to: 2, amount: 6n },
      { from: 2, to: 0, amount: 4n },
      { from: 2, to: 3, amount: 1n },
    ];
    assert.deepEqual(told(cancelCycles(payments)), ['0 → 1 6', '1 → 2 2', '2 → 3 1']);
  });

  it('are settled between those who lost and those who gained when there are too many', () => {
    const payments = [
      { from: 0, to: 1, amount: 10n },
      { from: 1, to: 2, amount: 6n },
      { from: 2, to: 0, amount: 4n },
    ];
    assert.deepEqual(told(cancelCycles(payments, 2)), ['0 → 1 4', '0 → 2 2']);
  });

  it('of 5,000 contracts that each return something to the first end in time', () => {
    const payments = [...Array(5_000).keys()].flatMap((index) => [
      { from: index, to: index + 1, amount: 100_000n - BigInt(index) },
      ...(index < 2 ? [] : [{ from: index, to: 0, amount: 1n }]),
    ]);
    const left = cancelCycles(payments);
    assert.ok(left.every(({ to }) => to !== 0));
  });
});
