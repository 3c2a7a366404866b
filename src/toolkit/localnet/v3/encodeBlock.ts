import type { Exact } from '../../api/openObject';
import type { V3Block } from '../../api/v3Blocks';
import type { LocalChain } from '../chain/localChain';
import type { BlockRecord } from '../records/records';
import { blockSeed } from '../../emulator/blockSeed';
import { basechainShard } from './encodeV3Transaction';

/** One of the two blocks of a seqno, as described by the indexed API. */
export function encodeBlock(chain: LocalChain, block: BlockRecord, workchain: 0 | -1): Exact<V3Block> {
  const { seqno } = block;
  const hashes = workchain === -1 ? block.master : block.shard;
  const id = { workchain, shard: basechainShard };
  return {
    ...id,
    seqno,
    root_hash: hashes.rootHash,
    file_hash: hashes.fileHash,
    global_id: chain.config.globalId,
    version: 0,
    after_merge: false,
    before_split: false,
    after_split: false,
    want_merge: false,
    want_split: false,
    key_block: workchain === -1 && seqno === chain.ledger.firstSeqno,
    vert_seqno_incr: false,
    flags: 1,
    gen_utime: block.genUtime,
    start_lt: block.startLt,
    end_lt: block.endLt,
    validator_list_hash_short: 0,
    gen_catchain_seqno: 0,
    min_ref_mc_seqno: seqno,
    prev_key_block_seqno: seqno === chain.ledger.firstSeqno ? 0 : chain.ledger.firstSeqno,
    vert_seqno: 0,
    master_ref_seqno: workchain === -1 ? 0 : seqno - 1,
    rand_seed: blockSeed(seqno).toString('hex'),
    created_by: Buffer.alloc(32).toString('hex'),
    tx_count: block.transactions.filter((t) => t.account.address.startsWith('-1:') === (workchain === -1))
      .length,
    masterchain_block_ref: { workchain: -1, shard: basechainShard, seqno },
    prev_blocks: seqno === 1 ? [] : [{ ...id, seqno: seqno - 1 }],
  };
}
