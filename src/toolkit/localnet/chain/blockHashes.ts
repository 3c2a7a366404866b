import { createHash } from 'node:crypto';
import { hashToBase64, upperHex } from '../../address/hash';
import type { BlockHashes } from '../records/records';

/** The events of a block, in order. */
export interface BlockContents {
  /** Root hashes of the referenced blocks. */
  blocks?: readonly string[];
  /** Addresses of the accounts whose state was set from outside. */
  changed: readonly string[];
  /** Hashes of the transactions. */
  transactions: readonly string[];
}

/**
 * Synthetic hashes of a block: there is no block BoC on the local network. The root hash covers workchain, seqno,
 * time, the previous root hash, and the transactions' hashes, so that blocks are linked and equal histories have
 * equal hashes.
 *
 * Stored blocks are hashed again whenever the state is opened, so the hashed text must never change: its hashes are
 * in base64 and its addresses in uppercase, as in the first version.
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
