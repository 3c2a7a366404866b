import * as z from 'zod';
import { bigNumber, hashValue } from '../../api/wire';
import { v2Read } from '../endpoint/endpoint';
import { hash, int64, integer, required, shard, time } from '../endpoint/parameter';
import { v2BlockIdExt, v2MasterchainInfo, v2Type } from '../../api/v2Objects';

const category = 'Blocks';

const workchain = required(integer('-1 for the masterchain, 0 for the basechain.'));
const shardId = required(
  shard('The shard: -9223372036854775808 or 8000000000000000 for the whole workchain.'),
);
const seqno = required(integer('Seqno of the block in its shard.', { minimum: 0 }));
const masterchainSeqno = required(integer('Seqno of the masterchain block.', { minimum: 0 }));

/** A block by position; hashes, if given, are checked by the service. */
export const blockParameters = {
  workchain,
  shard: shardId,
  seqno,
  root_hash: hash('Root hash of the block.'),
  file_hash: hash('File hash of the block.'),
};

const blockHeader = z.looseObject({
  ...v2Type,
  id: v2BlockIdExt,
  global_id: z.number(),
  version: z.number(),
  after_merge: z.optional(z.boolean()),
  after_split: z.optional(z.boolean()),
  before_split: z.optional(z.boolean()),
  want_merge: z.optional(z.boolean()),
  want_split: z.optional(z.boolean()),
  validator_list_hash_short: z.optional(z.number()),
  catchain_seqno: z.optional(z.number()),
  min_ref_mc_seqno: z.optional(z.number()),
  is_key_block: z.optional(z.boolean()),
  prev_key_block_seqno: z.optional(z.number()),
  start_lt: bigNumber,
  end_lt: bigNumber,
  /** Unix seconds; omitted by the Python service. */
  gen_utime: z.optional(z.number()),
  prev_blocks: z.optional(z.array(v2BlockIdExt)),
});

const shardBlockProof = z.looseObject({
  ...v2Type,
  from: v2BlockIdExt,
  mc_id: v2BlockIdExt,
  links: z.array(z.looseObject({ ...v2Type, id: v2BlockIdExt, proof: z.string() })),
  mc_proof: z.array(
    z.looseObject({
      ...v2Type,
      to_key_block: z.boolean(),
      from: v2BlockIdExt,
      to: v2BlockIdExt,
      dest_proof: z.string(),
      proof: z.string(),
      state_proof: z.string(),
    }),
  ),
});

export const v2Blocks = {
  getMasterchainInfo: v2Read({
    path: '/getMasterchainInfo',
    category,
    purpose: 'The newest masterchain block and the zero state.',
    parameters: {},
    result: v2MasterchainInfo,
  }),
  getMasterchainBlockSignatures: v2Read({
    path: '/getMasterchainBlockSignatures',
    category,
    purpose: 'Validator signatures of a masterchain block.',
    parameters: { seqno: masterchainSeqno },
    result: z.looseObject({
      ...v2Type,
      id: z.optional(v2BlockIdExt),
      signatures: z.array(z.looseObject({ ...v2Type, node_id_short: hashValue, signature: z.string() })),
    }),
  }),
  getShardBlockProof: v2Read({
    path: '/getShardBlockProof',
    category,
    purpose: 'Proof that a shard block belongs to the masterchain.',
    parameters: {
      workchain,
      shard: shardId,
      seqno,
      from_seqno: integer('Masterchain block to start the proof at.', { minimum: 0 }),
    },
    result: shardBlockProof,
  }),
  getConsensusBlock: v2Read({
    path: '/getConsensusBlock',
    category,
    purpose: 'The newest masterchain block that most lite servers have.',
    parameters: {},
    result: z.looseObject({ ...v2Type, consensus_block: z.number(), timestamp: z.number() }),
  }),
  lookupBlock: v2Read({
    path: '/lookupBlock',
    category,
    purpose: 'The block of a shard at a seqno, a logical time, or a Unix time: exactly one of the three.',
    parameters: {
      workchain,
      shard: shardId,
      seqno: integer('Seqno of the block in its shard.', { minimum: 0 }),
      lt: int64('A logical time inside the block.', { minimum: 0 }),
      unixtime: time('A time at or after the block, in Unix seconds.'),
    },
    result: v2BlockIdExt,
  }),
  getShards: v2Read({
    path: '/getShards',
    category,
    purpose: 'The shard blocks a masterchain block refers to.',
    parameters: { seqno: masterchainSeqno },
    result: z.looseObject({ ...v2Type, shards: z.array(v2BlockIdExt) }),
  }),
  getBlockHeader: v2Read({
    path: '/getBlockHeader',
    category,
    purpose: 'The header of a block.',
    parameters: blockParameters,
    result: blockHeader,
  }),
  getOutMsgQueueSize: v2Read({
    path: '/getOutMsgQueueSize',
    category,
    purpose: 'How many messages are waiting to leave each shard.',
    parameters: {},
    result: z.looseObject({
      ...v2Type,
      shards: z.array(z.looseObject({ ...v2Type, id: v2BlockIdExt, size: z.number() })),
      ext_msg_queue_size_limit: z.optional(z.number()),
    }),
  }),
};
