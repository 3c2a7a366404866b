import type { Transaction } from '@ton/core';

/** A transaction's compute phase, run or skipped. */
type ComputePhase = Extract<Transaction['description'], { type: 'generic' }>['computePhase'];

/** What the VM did in a transaction; undefined if no code ran. */
export function vmPhaseOf(
  transaction: Pick<Transaction, 'description'>,
): Extract<ComputePhase, { type: 'vm' }> | undefined {
  const compute = computePhaseOf(transaction);
  return compute?.type === 'vm' ? compute : undefined;
}

/** A transaction's compute phase, also if it was skipped; undefined for a kind of transaction that has none. */
export function computePhaseOf({ description }: Pick<Transaction, 'description'>): ComputePhase | undefined {
  return 'computePhase' in description ? description.computePhase : undefined;
}
