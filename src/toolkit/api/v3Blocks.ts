import * as z from 'zod';
import { openObject, v3BlockId } from './v3Objects';
import { bigNumber, hashValue, numberText } from './wire';

const text = z.string();
const number = z.number();
const flag = z.boolean();

/** A block in v3 answers. */
export const v3Block = openObject({
  workchain: number,
  /** Hex without 0x, not zero-padded. */
  shard: text,
  seqno: number,
  root_hash: hashValue,
  file_hash: hashValue,
  global_id: number,
  version: number,
  after_merge: flag,
  before_split: flag,
  after_split: flag,
  want_merge: flag,
  want_split: flag,
  key_block: flag,
  vert_seqno_incr: flag,
  flags: number,
  /** Unix seconds. */
  gen_utime: numberText,
  start_lt: bigNumber,
  end_lt: bigNumber,
  validator_list_hash_short: number,
  gen_catchain_seqno: number,
  min_ref_mc_seqno: number,
  prev_key_block_seqno: number,
  vert_seqno: number,
  master_ref_seqno: number,
  rand_seed: hashValue,
  created_by: hashValue,
  tx_count: number,
  masterchain_block_ref: v3BlockId,
  prev_blocks: z.array(v3BlockId),
});

export const v3BlockList = openObject({ blocks: z.array(v3Block) });

export type V3Block = z.output<typeof v3Block>;
