import { createHash } from 'node:crypto';
import { hashToBase64 } from '../../address/hash';
import { upperHex } from '../../address/upperHex';
import type { BlockHashes } from '../records/records';

/** What happened in a block, in order. */
export interface BlockContents {
  /** Root hashes of the blocks that it refers to. */
  blocks?: readonly string[];
  /** Addresses of the accounts whose state was set from outside. */
  changed: readonly string[];
  /** Hashes of the transactions. */
  transactions: readonly string[];
}

/**
 * Synthetic hashes of a block: there is no block BoC on the local network. The root hash covers workchain, seqno,
 * time, the previous root hash and the transactions' hashes, so that blocks are linked and equal histories agree.
 *
 * A kept block is hashed again whenever its state is opened, so the hashed text never changes: its hashes are in base64 and
 * its addresses in upper case, as the first version wrote them.
 */
export function blockHashes(
  workchain: number,
  block: { seqno: number; genUtime: number },
  previousRootHash: string,
  { blocks = [], changed, transactions }: BlockContents,
): BlockHashes {
  const previous = hashToBase64(previousRootHash);
  const facts = ['ton-workbench', workchain, block.seqno, block.genUtime, previous];
  const contents = [...blocks.map(hashToBase64), ...changed.map(upperHex), ...transactions.map(hashToBase64)];
  const root = createHash('sha256')
    .update([...facts, ...contents].join(' '))
    .digest();
  return {
    rootHash: root.toString('hex'),
    fileHash: createHash('sha256').update('file ').update(root).digest('hex'),
  };
}
