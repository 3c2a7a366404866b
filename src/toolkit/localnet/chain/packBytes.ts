import type { AccountVersion, BlockRecord } from '../records/records';

/**
 * Moves the bytes kept by a block's records into one exactly sized buffer. Otherwise each would keep alive the whole
 * pool in which it was created.
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
