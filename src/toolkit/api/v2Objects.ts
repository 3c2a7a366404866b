import * as z from 'zod';
import { addressValue, bigNumber, friendlyAddressValue, hashValue } from './wire';

/**
 * The objects of v2 answers. Hashes are lowercase hex, addresses raw in lowercase, amounts and lt bigint; times are
 * Unix seconds; BoCs and other bytes are base64, empty if there are none. Shards are signed decimal text. `@type` is
 * optional everywhere: the Python service omits some. Other fields are kept as sent.
 */

export const v2Type = { '@type': z.optional(z.string()) };

export const v2BlockIdExt = z.looseObject({
  ...v2Type,
  workchain: z.number(),
  /** Signed decimal, -9223372036854775808 for the whole workchain. */
  shard: z.string(),
  seqno: z.number(),
  root_hash: hashValue,
  file_hash: hashValue,
});

export const v2TransactionId = z.looseObject({ ...v2Type, lt: bigNumber, hash: hashValue });

export const v2AccountAddress = z.looseObject({
  ...v2Type,
  account_address: z.optional(friendlyAddressValue),
});

export const v2ExtraCurrency = z.looseObject({ ...v2Type, id: z.number(), amount: bigNumber });

/** uninitialized, active or frozen. */
export const v2AccountStateWord = z.string();

export const v2TvmCell = z.looseObject({ ...v2Type, bytes: z.string() });

/** `msg.dataRaw` has body and init_state, the text forms have text; all base64. */
export const v2MessageData = z.looseObject({
  ...v2Type,
  body: z.optional(z.string()),
  init_state: z.optional(z.string()),
  text: z.optional(z.string()),
});

const messageFields = {
  ...v2Type,
  hash: z.optional(hashValue),
  /** Nanocoins. */
  value: bigNumber,
  extra_currencies: z.optional(z.array(v2ExtraCurrency)),
  fwd_fee: bigNumber,
  ihr_fee: bigNumber,
  created_lt: bigNumber,
  body_hash: z.optional(hashValue),
  msg_data: z.optional(v2MessageData),
  /** Raw data: base64 of the body's bits and a line break; text: the text itself. */
  message: z.optional(z.string()),
  message_decode_error: z.optional(z.string()),
};

/** A message with plain addresses; source or destination is empty for an external. */
export const v2Message = z.looseObject({
  ...messageFields,
  source: friendlyAddressValue,
  destination: friendlyAddressValue,
});

/** A message with address objects. */
export const v2MessageStd = z.looseObject({
  ...messageFields,
  source: v2AccountAddress,
  destination: v2AccountAddress,
});

const transactionFields = {
  ...v2Type,
  address: z.optional(v2AccountAddress),
  /** Unix seconds. */
  utime: z.number(),
  /** The transaction cell as a BoC in base64. */
  data: z.string(),
  transaction_id: v2TransactionId,
  /** Nanocoins: `fee` is the sum of the other two. */
  fee: bigNumber,
  storage_fee: bigNumber,
  other_fee: bigNumber,
};

export const v2Transaction = z.looseObject({
  ...transactionFields,
  account: z.optional(addressValue),
  /** Omitted for tick-tock. */
  in_msg: z.nullish(v2Message),
  out_msgs: z.array(v2Message),
});

export const v2TransactionStd = z.looseObject({
  ...transactionFields,
  account: z.optional(addressValue),
  in_msg: z.nullish(v2MessageStd),
  out_msgs: z.array(v2MessageStd),
});

/** `[tag, value]`: num in hex text, cell with bytes and object, tuple and list with typed elements. */
export type V2LegacyStackEntry = readonly [string, unknown];
const legacyStackEntry = z.array(z.unknown()) as unknown as z.ZodType<[string, unknown], unknown[]>;

/** `{"@type": "tvm.stackEntryNumber", "number": …}` and the like. */
export interface V2TypedStackEntry {
  '@type': string;
  [key: string]: unknown;
}
const typedStackEntry = z.looseObject({ '@type': z.string() });

const runResultFields = {
  ...v2Type,
  /** The method's debug output; only on local networks. */
  debug_output: z.optional(z.unknown()),
  gas_used: z.number(),
  exit_code: z.number(),
  block_id: z.optional(v2BlockIdExt),
  last_transaction_id: z.optional(v2TransactionId),
};

export const v2RunResult = z.looseObject({ ...runResultFields, stack: z.array(legacyStackEntry) });
export const v2RunResultStd = z.looseObject({ ...runResultFields, stack: z.array(typedStackEntry) });

export const v2ResultOk = z.looseObject({ ...v2Type });
export const v2ExtMessageInfo = z.looseObject({
  ...v2Type,
  hash: hashValue,
  /** TEP-467 normalized hash; unknown to the Python service. */
  hash_norm: z.optional(hashValue),
});

export const v2AccountInformation = z.looseObject({
  /** Only on forks: local, exact, or partial. */
  fork_state: z.optional(z.string()),
  ...v2Type,
  /** Nanocoins. */
  balance: bigNumber,
  extra_currencies: z.optional(z.array(v2ExtraCurrency)),
  last_transaction_id: v2TransactionId,
  block_id: z.optional(v2BlockIdExt),
  /** BoC in base64, empty if there is none. */
  code: z.string(),
  data: z.string(),
  frozen_hash: z.optional(hashValue),
  /** Unix seconds. */
  sync_utime: z.optional(z.number()),
  state: v2AccountStateWord,
  suspended: z.optional(z.boolean()),
});

export const v2MasterchainInfo = z.looseObject({
  ...v2Type,
  last: v2BlockIdExt,
  state_root_hash: z.optional(hashValue),
  init: v2BlockIdExt,
});
