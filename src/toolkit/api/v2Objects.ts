import * as z from 'zod';
import { addressValue, bigNumber, friendlyAddressValue, hashValue } from './wire';

/**
 * The objects of v2 answers. Hashes are lower-case hex, addresses raw in lower case, amounts and lt bigint; times are Unix
 * seconds; BoCs and other bytes are base64, empty where there are none. Shards are signed decimal text. `@type` is optional
 * everywhere: the Python service leaves some out. Fields that are not named here are kept as sent.
 */

export const type = { '@type': z.optional(z.string()) };

export const blockIdExt = z.looseObject({
  ...type,
  workchain: z.number(),
  /** Signed decimal, -9223372036854775808 for the whole workchain. */
  shard: z.string(),
  seqno: z.number(),
  root_hash: hashValue,
  file_hash: hashValue,
});

export const transactionId = z.looseObject({ ...type, lt: bigNumber, hash: hashValue });

export const accountAddress = z.looseObject({ ...type, account_address: z.optional(friendlyAddressValue) });

export const extraCurrency = z.looseObject({ ...type, id: z.number(), amount: bigNumber });

/** uninitialized, active or frozen. */
export const accountStateWord = z.string();

export const tvmCell = z.looseObject({ ...type, bytes: z.string() });

/** `msg.dataRaw` has body and init_state, the text forms have text; all base64. */
export const messageData = z.looseObject({
  ...type,
  body: z.optional(z.string()),
  init_state: z.optional(z.string()),
  text: z.optional(z.string()),
});

const messageFields = {
  ...type,
  hash: z.optional(hashValue),
  /** Nanocoins. */
  value: bigNumber,
  extra_currencies: z.optional(z.array(extraCurrency)),
  fwd_fee: bigNumber,
  ihr_fee: bigNumber,
  created_lt: bigNumber,
  body_hash: z.optional(hashValue),
  msg_data: z.optional(messageData),
  /** Raw data: base64 of the body's bits and a line break; text: the text itself. */
  message: z.optional(z.string()),
  message_decode_error: z.optional(z.string()),
};

/** A message with plain addresses; source or destination is empty for an external. */
export const message = z.looseObject({
  ...messageFields,
  source: friendlyAddressValue,
  destination: friendlyAddressValue,
});

/** A message with address objects. */
export const messageStd = z.looseObject({
  ...messageFields,
  source: accountAddress,
  destination: accountAddress,
});

const transactionFields = {
  ...type,
  address: z.optional(accountAddress),
  /** Unix seconds. */
  utime: z.number(),
  /** The transaction cell as a BoC in base64. */
  data: z.string(),
  transaction_id: transactionId,
  /** Nanocoins: `fee` is the sum of the other two. */
  fee: bigNumber,
  storage_fee: bigNumber,
  other_fee: bigNumber,
};

export const transaction = z.looseObject({
  ...transactionFields,
  account: z.optional(addressValue),
  /** Left out for tick-tock. */
  in_msg: z.nullish(message),
  out_msgs: z.array(message),
});

export const transactionStd = z.looseObject({
  ...transactionFields,
  account: z.optional(addressValue),
  in_msg: z.nullish(messageStd),
  out_msgs: z.array(messageStd),
});

/** `[tag, value]`: num in hex text, cell with bytes and object, tuple and list with typed elements. */
export type LegacyStackEntry = readonly [string, unknown];
const legacyStackEntry = z.array(z.unknown()) as unknown as z.ZodType<[string, unknown], unknown[]>;

/** `{"@type": "tvm.stackEntryNumber", "number": …}` and the like. */
export interface TypedStackEntry {
  '@type': string;
  [key: string]: unknown;
}
const typedStackEntry = z.looseObject({ '@type': z.string() });

const runResultFields = {
  ...type,
  /** What the method printed; of local networks alone. */
  debug_output: z.optional(z.unknown()),
  gas_used: z.number(),
  exit_code: z.number(),
  block_id: z.optional(blockIdExt),
  last_transaction_id: z.optional(transactionId),
};

export const runResult = z.looseObject({ ...runResultFields, stack: z.array(legacyStackEntry) });
export const runResultStd = z.looseObject({ ...runResultFields, stack: z.array(typedStackEntry) });

export const resultOk = z.looseObject({ ...type });
export const extMessageInfo = z.looseObject({
  ...type,
  hash: hashValue,
  /** TEP-467 normalised hash; the Python service does not know it. */
  hash_norm: z.optional(hashValue),
});

export const accountInformation = z.looseObject({
  /** Of forks alone: local, exact or partial. */
  fork_state: z.optional(z.string()),
  ...type,
  /** Nanocoins. */
  balance: bigNumber,
  extra_currencies: z.optional(z.array(extraCurrency)),
  last_transaction_id: transactionId,
  block_id: z.optional(blockIdExt),
  /** BoC in base64, empty where there is none. */
  code: z.string(),
  data: z.string(),
  frozen_hash: z.optional(hashValue),
  /** Unix seconds. */
  sync_utime: z.optional(z.number()),
  state: accountStateWord,
  suspended: z.optional(z.boolean()),
});

export const masterchainInfo = z.looseObject({
  ...type,
  last: blockIdExt,
  state_root_hash: z.optional(hashValue),
  init: blockIdExt,
});
