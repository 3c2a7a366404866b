import type { BlockRecord } from './records';

/**
 * Moves the bytes that a block's records keep into one piece of memory of exactly their size. Where they were made, each
 * stands in a pool between others that are long gone and would be kept with it.
 */
export function packBytes(block: BlockRecord): void {
  const { transactions, changed } = block;
  const versions = changed.flatMap(({ versions: all }) =>
    all.filter(({ seqno, transaction }) => seqno === block.seqno && transaction === null),
  );
  const size =
    transactions.reduce((sum, { boc, after }) => sum + boc.length + after.packed.length, 0) +
    versions.reduce((sum, { packed }) => sum + packed.length, 0);
  const memory = Buffer.allocUnsafeSlow(size);
  let end = 0;
  const move = (bytes: Buffer): Buffer => {
    const start = end;
    end += bytes.copy(memory, start);
    return memory.subarray(start, end);
  };
  for (const record of transactions) {
    record.boc = move(record.boc);
    record.after.packed = move(record.after.packed);
  }
  for (const version of versions) {
    version.packed = move(version.packed);
  }
}
