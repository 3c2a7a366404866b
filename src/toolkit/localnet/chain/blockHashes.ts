import { createHash } from 'node:crypto';
import type { BlockHashes } from '../records/records';

/**
 * Synthetic hashes of a block: there is no block BoC on the local network. The root hash covers workchain, seqno,
 * time, the previous root hash and the transactions' hashes, so that blocks are linked and equal histories agree.
 */
export function blockHashes(
  workchain: number,
  block: { seqno: number; genUtime: number },
  previousRootHash: string,
  contents: readonly string[],
): BlockHashes {
  const facts = ['ton-workbench', workchain, block.seqno, block.genUtime, previousRootHash, ...contents];
  const root = createHash('sha256').update(facts.join(' ')).digest();
  return {
    rootHash: root.toString('base64'),
    fileHash: createHash('sha256').update('file ').update(root).digest('base64'),
  };
}
