import type { AccountVersion, BlockRecord } from '../records/records';

/**
 * Moves the bytes that a block's records keep into one piece of memory of exactly their size. Where they were created, each
 * lies in a pool among others that are long gone and would be kept alive with it.
 */
export function packBytes(block: BlockRecord): void {
  const { transactions, changed } = block;
  const kept = [
    ...transactions.flatMap((transaction) => [transaction, transaction.after]),
    ...changed.flatMap((account) => changedVersions(account.versions, block.seqno)),
  ];
  const memory = Buffer.allocUnsafeSlow(kept.reduce((sum, { size }) => sum + size, 0));
  kept.reduce((end, bytes) => bytes.moveTo(memory, end), 0);
}

function changedVersions(versions: readonly AccountVersion[], block: number): AccountVersion[] {
  return versions.filter(({ seqno, transaction }) => seqno === block && transaction === null);
}
