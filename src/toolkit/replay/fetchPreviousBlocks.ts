import type { V3Block } from '../api/v3Blocks';
import type { MasterchainBlock, PreviousBlocks } from './previousBlocks';

const masterchain = { workchain: -1, shard: '8000000000000000' };
const count = 16;

/** What is asked of `/api/v3/blocks`. */
export interface BlockQuery {
  workchain: number;
  shard: string;
  seqno?: number;
  end_lt?: bigint;
  limit: number;
  sort?: 'asc' | 'desc';
}

/**
 * The blocks before a transaction: 2 to 3 requests, and 16 more for those whose seqno is divisible by 100.
 *
 * @param newest seqno of the masterchain block that the transaction's block refers to
 * @returns undefined if the service does not have one of them
 */
export async function fetchPreviousBlocks(
  newest: number,
  withHundreds: boolean,
  ask: (query: BlockQuery) => Promise<readonly V3Block[]>,
): Promise<PreviousBlocks | undefined> {
  const known = new Map<number, V3Block>();
  const one = async (seqno: number): Promise<V3Block | undefined> => {
    const block = known.get(seqno) ?? (await ask({ ...masterchain, seqno, limit: 1 }))[0];
    return block?.seqno === seqno ? block : undefined;
  };
  const first = await one(newest);
  if (first?.end_lt == null) {
    return undefined;
  }
  for (const block of await ask({ ...masterchain, end_lt: first.end_lt, limit: count, sort: 'desc' })) {
    known.set(block.seqno ?? -1, block);
  }
  known.set(newest, first);
  const key = first.key_block === true ? newest : (first.prev_key_block_seqno ?? -1);
  const hundred = newest - (newest % 100);
  const wanted = {
    last: seqnos(newest, 1),
    key: [key],
    hundreds: withHundreds ? seqnos(hundred, 100) : [],
  };
  const blocks = async (numbers: readonly number[]): Promise<MasterchainBlock[]> => {
    const found: MasterchainBlock[] = [];
    for (const seqno of numbers) {
      const block = await one(seqno);
      if (block?.root_hash != null && block.file_hash != null) {
        found.push({ seqno, rootHash: block.root_hash, fileHash: block.file_hash });
      }
    }
    return found;
  };
  const last = await blocks(wanted.last);
  const [keyBlock] = await blocks(wanted.key);
  const hundreds = await blocks(wanted.hundreds);
  const isWhole = last.length === wanted.last.length && hundreds.length === wanted.hundreds.length;
  return isWhole && keyBlock !== undefined ? { last, key: keyBlock, hundreds } : undefined;
}

/** The newest first; the first block has seqno 1. */
function seqnos(newest: number, step: number): number[] {
  return Array.from({ length: count }, (_, index) => newest - index * step).filter((seqno) => seqno > 0);
}
