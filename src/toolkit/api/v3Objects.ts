import * as z from 'zod';
import { addressValue, bigNumber, finalityValue, hashValue, numberText, opcodeValue } from './wire';

/**
 * The objects of v3 answers. Hashes are lower-case hex, addresses raw in lower case, 64-bit numbers bigint; times are
 * Unix seconds; BoCs are base64. What a field's absence means: `optional` left out when empty, `nullable` sent as null,
 * `nullish` seen both ways. Fields that are not named here are kept as sent.
 */

const text = z.string();
const number = z.number();
const flag = z.boolean();
const hash = hashValue;
const address = addressValue;
const big = bigNumber;

/** Extra currencies: currency id to amount in the currency's smallest unit. */
export const extraCurrencies = z.record(text, big);

/** Names and kinds of the accounts an answer mentions, by raw address. */
export const addressBook = z.record(
  address,
  z.looseObject({
    /** Bounceable for contracts, non-bounceable for wallets and empty accounts; null when the address was not valid. */
    user_friendly: z.nullish(text),
    /** TON DNS name. */
    domain: z.nullish(text),
    interfaces: z.nullish(z.array(text)),
  }),
);

/** What is known of the tokens an answer mentions, by raw address. */
export const metadata = z.record(
  address,
  z.looseObject({
    is_indexed: z.optional(flag),
    token_info: z.nullish(
      z.array(
        z.looseObject({
          type: z.nullish(text),
          name: z.nullish(text),
          symbol: z.nullish(text),
          description: z.nullish(text),
          /** URL, from the token's owner: hostile until checked. */
          image: z.nullish(text),
          nft_index: z.nullish(text),
          is_nsfw: z.nullish(flag),
          is_scam: z.nullish(flag),
          valid: z.nullish(flag),
          /** `decimals` and `uri` among others. */
          extra: z.nullish(z.record(text, z.unknown())),
        }),
      ),
    ),
  }),
);

/** Behind every list: the address book and the metadata, empty when switched off. */
export const books = { address_book: z.nullish(addressBook), metadata: z.nullish(metadata) };

export const blockId = z.looseObject({
  workchain: number,
  /** Hex without 0x, not zero-padded. */
  shard: text,
  seqno: number,
});

export const messageContent = z.looseObject({
  hash: z.nullish(hash),
  /** BoC in base64. */
  body: z.nullish(text),
  /** The service's reading of the body, with `@type`. */
  decoded: z.optional(z.unknown()),
});

/** A message. Fields that do not apply to its kind are null: an external has no source, value or fees. */
export const message = z.looseObject({
  hash,
  /** TEP-467 normalised hash of an external-in message; left out where it equals `hash`. */
  hash_norm: z.nullish(hash),
  source: z.nullish(address),
  destination: z.nullish(address),
  /** Nanocoins. */
  value: z.nullish(big),
  value_extra_currencies: z.nullish(extraCurrencies),
  fwd_fee: z.nullish(big),
  ihr_fee: z.nullish(big),
  extra_flags: z.nullish(big),
  created_lt: z.nullish(big),
  /** Unix seconds. */
  created_at: z.nullish(numberText),
  opcode: z.nullish(opcodeValue),
  decoded_opcode: z.nullish(text),
  ihr_disabled: z.nullish(flag),
  bounce: z.nullish(flag),
  bounced: z.nullish(flag),
  import_fee: z.nullish(big),
  message_content: z.nullish(messageContent),
  init_state: z.nullish(messageContent),
  in_msg_tx_hash: z.nullish(hash),
  out_msg_tx_hash: z.nullish(hash),
});

/** An account before or after a transaction; only `hash` where the state is not indexed. */
export const accountState = z.looseObject({
  hash: z.nullish(hash),
  balance: z.nullish(big),
  extra_currencies: z.nullish(extraCurrencies),
  account_status: z.nullish(text),
  frozen_hash: z.nullish(hash),
  data_hash: z.nullish(hash),
  code_hash: z.nullish(hash),
  /** BoCs in base64; the indexed answers leave them out. */
  data_boc: z.nullish(text),
  code_boc: z.nullish(text),
});

const messageSize = z.looseObject({ cells: z.nullish(big), bits: z.nullish(big) });

export const storagePhase = z.looseObject({
  storage_fees_collected: z.nullish(big),
  storage_fees_due: z.nullish(big),
  /** unchanged, frozen or deleted. */
  status_change: z.nullish(text),
});

export const creditPhase = z.looseObject({
  due_fees_collected: z.nullish(big),
  credit: z.nullish(big),
  credit_extra_currencies: z.nullish(extraCurrencies),
});

/** A skipped phase is exactly `{skipped: true, reason}`; reasons are no_state, bad_state, no_gas, suspended. */
export const computePhase = z.looseObject({
  skipped: z.nullish(flag),
  reason: z.nullish(text),
  success: z.nullish(flag),
  msg_state_used: z.nullish(flag),
  account_activated: z.nullish(flag),
  gas_fees: z.nullish(big),
  gas_used: z.nullish(big),
  gas_limit: z.nullish(big),
  gas_credit: z.nullish(big),
  mode: z.nullish(number),
  exit_code: z.nullish(number),
  exit_arg: z.nullish(number),
  vm_steps: z.nullish(number),
  vm_init_state_hash: z.nullish(hash),
  vm_final_state_hash: z.nullish(hash),
});

export const actionPhase = z.looseObject({
  success: z.nullish(flag),
  valid: z.nullish(flag),
  no_funds: z.nullish(flag),
  status_change: z.nullish(text),
  total_fwd_fees: z.nullish(big),
  total_action_fees: z.nullish(big),
  result_code: z.nullish(number),
  result_arg: z.nullish(number),
  tot_actions: z.nullish(number),
  spec_actions: z.nullish(number),
  skipped_actions: z.nullish(number),
  msgs_created: z.nullish(number),
  action_list_hash: z.nullish(hash),
  tot_msg_size: z.nullish(messageSize),
});

export const bouncePhase = z.looseObject({
  /** negfunds, nofunds or ok. */
  type: z.nullish(text),
  msg_size: z.nullish(messageSize),
  req_fwd_fees: z.nullish(big),
  msg_fees: z.nullish(big),
  fwd_fees: z.nullish(big),
});

export const transactionDescription = z.looseObject({
  /** ord, storage, tick_tock, split_prepare, split_install, merge_prepare or merge_install. */
  type: text,
  aborted: z.nullish(flag),
  destroyed: z.nullish(flag),
  credit_first: z.nullish(flag),
  is_tock: z.nullish(flag),
  installed: z.nullish(flag),
  storage_ph: z.nullish(storagePhase),
  credit_ph: z.nullish(creditPhase),
  compute_ph: z.nullish(computePhase),
  action: z.nullish(actionPhase),
  bounce: z.nullish(bouncePhase),
  split_info: z.nullish(
    z.looseObject({
      cur_shard_pfx_len: z.nullish(number),
      acc_split_depth: z.nullish(number),
      /** Account id without a workchain. */
      this_addr: z.nullish(text),
      sibling_addr: z.nullish(text),
    }),
  ),
});

export const transaction = z.looseObject({
  account: address,
  hash,
  lt: big,
  /** Unix seconds. */
  now: number,
  mc_block_seqno: z.nullish(number),
  trace_id: z.nullish(hash),
  /** Only in pending answers. */
  trace_external_hash: z.nullish(hash),
  prev_trans_hash: z.nullish(hash),
  prev_trans_lt: z.nullish(big),
  /** uninit, frozen, active or nonexist. */
  orig_status: z.nullish(text),
  end_status: z.nullish(text),
  /** Nanocoins. */
  total_fees: z.nullish(big),
  total_fees_extra_currencies: z.nullish(extraCurrencies),
  description: transactionDescription,
  block_ref: z.nullish(blockId),
  /** Null for tick-tock transactions. */
  in_msg: z.nullish(message),
  /** In the order of created_lt. */
  out_msgs: z.nullish(z.array(message)),
  account_state_before: z.nullish(accountState),
  account_state_after: z.nullish(accountState),
  emulated: z.nullish(flag),
  finality: z.nullish(finalityValue),
});

export const transactionList = z.looseObject({
  transactions: z.nullable(z.array(transaction)),
  ...books,
});

export const block = z.looseObject({
  workchain: number,
  /** Hex without 0x, not zero-padded. */
  shard: text,
  seqno: number,
  root_hash: hash,
  file_hash: hash,
  global_id: z.nullish(number),
  version: z.nullish(number),
  after_merge: z.nullish(flag),
  before_split: z.nullish(flag),
  after_split: z.nullish(flag),
  want_merge: z.nullish(flag),
  want_split: z.nullish(flag),
  key_block: z.nullish(flag),
  vert_seqno_incr: z.nullish(flag),
  flags: z.nullish(number),
  /** Unix seconds. */
  gen_utime: z.nullish(numberText),
  start_lt: z.nullish(big),
  end_lt: z.nullish(big),
  validator_list_hash_short: z.nullish(number),
  gen_catchain_seqno: z.nullish(number),
  min_ref_mc_seqno: z.nullish(number),
  prev_key_block_seqno: z.nullish(number),
  vert_seqno: z.nullish(number),
  master_ref_seqno: z.nullish(number),
  rand_seed: z.nullish(hash),
  created_by: z.nullish(hash),
  tx_count: z.nullish(number),
  masterchain_block_ref: z.nullish(blockId),
  prev_blocks: z.nullish(z.array(blockId)),
});

export const blockList = z.looseObject({ blocks: z.nullable(z.array(block)) });
