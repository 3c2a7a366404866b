import * as z from 'zod';
import { addressValue, bigNumber, finalityValue, hashValue, numberText, opcodeValue } from './wire';

/**
 * The objects of v3 answers. Hashes are lowercase hex, addresses raw in lowercase, 64-bit numbers bigint; times are
 * Unix seconds; BoCs are base64. A missing or null field is unknown or does not apply. Other fields are kept as sent.
 */

const text = z.string();
const number = z.number();
const flag = z.boolean();
const hash = hashValue;
const address = addressValue;
const big = bigNumber;

/** Extra currencies: currency id to amount in the currency's smallest unit. */
export const v3ExtraCurrencies = z.record(text, z.nullable(big));

/** The address book's entry for one account. */
export const v3AddressBookRow = openObject({
  /** Bounceable for contracts, non-bounceable for wallets and empty accounts; null if the address was invalid. */
  user_friendly: text,
  /** TON DNS name. */
  domain: text,
  interfaces: z.array(text),
});

/** Names and kinds of the accounts in an answer, by raw address. */
export const v3AddressBook = z.record(address, z.nullable(v3AddressBookRow));

/** What is known about one token. */
export const v3TokenInfo = openObject({
  /** jetton_masters, jetton_wallets, nft_items, nft_collections, …. */
  type: text,
  name: text,
  symbol: text,
  description: text,
  /** URL, set by the token's owner: untrusted. */
  image: text,
  nft_index: text,
  is_nsfw: flag,
  is_scam: flag,
  valid: flag,
  /** `decimals` and `uri` among others. */
  extra: z.record(text, z.unknown()),
});

/** The `extra` fields of a jetton wallet: for encoders. */
export const v3JettonWalletExtra = openObject({ balance: big, owner: address, jetton: address });

/** What is known about one account as a token. */
export const v3MetadataRow = openObject({ is_indexed: flag, token_info: z.array(v3TokenInfo) });

/** What is known about the tokens in an answer, by raw address. */
export const v3Metadata = z.record(address, z.nullable(v3MetadataRow));

/** Follows every list: the address book and the metadata, empty when switched off. */
export const v3Books = { address_book: v3AddressBook, metadata: v3Metadata };

export const v3BlockId = openObject({
  workchain: number,
  /** Hex without 0x, not zero-padded. */
  shard: text,
  seqno: number,
});

export const v3MessageContent = openObject({
  hash,
  /** BoC in base64. */
  body: text,
  /** The service's decoded body, with `@type`. */
  decoded: z.unknown(),
});

/** A message. Fields that do not apply to its kind are null: an external has no source, value or fees. */
export const v3Message = openObject({
  hash,
  /** TEP-467 normalized hash of an external-in message; omitted if equal to `hash`. */
  hash_norm: hash,
  source: address,
  destination: address,
  /** Nanocoins. */
  value: big,
  value_extra_currencies: v3ExtraCurrencies,
  fwd_fee: big,
  ihr_fee: big,
  extra_flags: big,
  created_lt: big,
  /** Unix seconds. */
  created_at: numberText,
  opcode: opcodeValue,
  decoded_opcode: text,
  ihr_disabled: flag,
  bounce: flag,
  bounced: flag,
  import_fee: big,
  message_content: v3MessageContent,
  init_state: v3MessageContent,
  in_msg_tx_hash: hash,
  out_msg_tx_hash: hash,
});

/** An account before or after a transaction; only `hash` if the state is not indexed. */
export const v3AccountState = openObject({
  hash,
  balance: big,
  extra_currencies: v3ExtraCurrencies,
  account_status: text,
  frozen_hash: hash,
  data_hash: hash,
  code_hash: hash,
  /** BoCs in base64; omitted by the indexed answers. */
  data_boc: text,
  code_boc: text,
});

export const v3MessageSize = openObject({ cells: big, bits: big });

export const v3StoragePhase = openObject({
  storage_fees_collected: big,
  storage_fees_due: big,
  /** unchanged, frozen or deleted. */
  status_change: text,
});

export const v3CreditPhase = openObject({
  due_fees_collected: big,
  credit: big,
  credit_extra_currencies: v3ExtraCurrencies,
});

/** A skipped phase is exactly `{skipped: true, reason}`; reasons are no_state, bad_state, no_gas, suspended. */
export const v3ComputePhase = openObject({
  skipped: flag,
  reason: text,
  success: flag,
  msg_state_used: flag,
  account_activated: flag,
  gas_fees: big,
  gas_used: big,
  gas_limit: big,
  gas_credit: big,
  mode: number,
  exit_code: number,
  exit_arg: number,
  vm_steps: number,
  vm_init_state_hash: hash,
  vm_final_state_hash: hash,
});

export const v3ActionPhase = openObject({
  success: flag,
  valid: flag,
  no_funds: flag,
  status_change: text,
  total_fwd_fees: big,
  total_action_fees: big,
  result_code: number,
  result_arg: number,
  tot_actions: number,
  spec_actions: number,
  skipped_actions: number,
  msgs_created: number,
  action_list_hash: hash,
  tot_msg_size: v3MessageSize,
});

export const v3BouncePhase = openObject({
  /** negfunds, nofunds or ok. */
  type: text,
  msg_size: v3MessageSize,
  req_fwd_fees: big,
  msg_fees: big,
  fwd_fees: big,
});

export const v3SplitInfo = openObject({
  cur_shard_pfx_len: number,
  acc_split_depth: number,
  /** Account id without a workchain. */
  this_addr: text,
  sibling_addr: text,
});

export const v3TransactionDescription = openObject({
  /** ord, storage, tick_tock, split_prepare, split_install, merge_prepare or merge_install. */
  type: text,
  aborted: flag,
  destroyed: flag,
  credit_first: flag,
  is_tock: flag,
  installed: flag,
  storage_ph: v3StoragePhase,
  credit_ph: v3CreditPhase,
  compute_ph: v3ComputePhase,
  action: v3ActionPhase,
  bounce: v3BouncePhase,
  split_info: v3SplitInfo,
});

export const v3Transaction = openObject({
  account: address,
  hash,
  lt: big,
  /** Unix seconds. */
  now: number,
  mc_block_seqno: number,
  trace_id: hash,
  /** Only in pending answers. */
  trace_external_hash: hash,
  prev_trans_hash: hash,
  prev_trans_lt: big,
  /** uninit, frozen, active or nonexist. */
  orig_status: text,
  end_status: text,
  /** Nanocoins. */
  total_fees: big,
  total_fees_extra_currencies: v3ExtraCurrencies,
  description: v3TransactionDescription,
  block_ref: v3BlockId,
  /** Null for tick-tock transactions. */
  in_msg: v3Message,
  /** In the order of created_lt. */
  out_msgs: z.array(v3Message),
  account_state_before: v3AccountState,
  account_state_after: v3AccountState,
  /** Not in a block: predicted by an emulation. */
  emulated: flag,
  finality: finalityValue,
  /** Only on local networks: the contract's debug output. */
  debug_output: z.array(text),
});

export const v3TransactionList = openObject({
  transactions: z.array(v3Transaction),
  ...v3Books,
});

export type V3Metadata = z.output<typeof v3Metadata>;
export type V3AddressBook = z.output<typeof v3AddressBook>;
export type V3AddressBookRow = z.output<typeof v3AddressBookRow>;
export type V3TokenInfo = z.output<typeof v3TokenInfo>;
export type V3MetadataRow = z.output<typeof v3MetadataRow>;
export type V3MetadataRowWire = WireOf<typeof v3MetadataRow>;
export type V3MessageContent = z.output<typeof v3MessageContent>;
export type V3Message = z.output<typeof v3Message>;
export type V3MessageWire = WireOf<typeof v3Message>;
export type V3AccountState = z.output<typeof v3AccountState>;
export type V3AccountStateWire = WireOf<typeof v3AccountState>;
export type V3StoragePhase = z.output<typeof v3StoragePhase>;
export type V3CreditPhase = z.output<typeof v3CreditPhase>;
export type V3ComputePhase = z.output<typeof v3ComputePhase>;
export type V3ActionPhase = z.output<typeof v3ActionPhase>;
export type V3BouncePhase = z.output<typeof v3BouncePhase>;
export type V3TransactionDescription = z.output<typeof v3TransactionDescription>;
export type V3Transaction = z.output<typeof v3Transaction>;
export type V3TransactionWire = WireOf<typeof v3Transaction>;

/** An object whose fields may all be missing or null, and which may have other fields. */
type OpenObject<Shape extends z.core.$ZodShape> = z.ZodObject<
  { [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>> },
  z.core.$loose
>;

/**
 * Describes an object of API v3, whose description marks no field as required: each field of `shape` may be missing
 * or null, and other fields are kept as sent.
 */
export function openObject<Shape extends z.core.$ZodShape>(shape: Shape): OpenObject<Shape> {
  const fields = Object.entries(shape).map(([name, field]) => [name, z.nullish(field)]);
  return z.looseObject(Object.fromEntries(fields)) as unknown as OpenObject<Shape>;
}

/** The type of a schema, as JSON and with the named fields only. */
export type WireOf<Schema extends z.ZodType> = Exact<z.input<Schema>>;

/** An API object with its named fields only: for encoders, so that a misspelled name does not compile. */
export type Exact<Value> = Value extends readonly (infer Item)[]
  ? Exact<Item>[]
  : Value extends object
    ? ExactObject<Value>
    : Value;

/** Objects lose their index signature; maps, which have nothing else, keep it. */
type ExactObject<Value extends object> = [NameOf<Value>] extends [never]
  ? { [Name in keyof Value]: Exact<Value[Name]> }
  : { [Name in NameOf<Value>]: Exact<Value[Name]> };

type NameOf<Value> = keyof { [Name in keyof Value as string extends Name ? never : Name]: never };

/** Accounts in v3 answers. */

export const v3AccountStateFull = openObject({
  /** Only on forks: local, exact, or partial. */
  fork_state: z.string(),
  address: addressValue,
  account_state_hash: hashValue,
  /** Nanocoins. */
  balance: bigNumber,
  extra_currencies: v3ExtraCurrencies,
  /** uninit, frozen, active or nonexist. */
  status: z.string(),
  suspended: z.boolean(),
  frozen_hash: hashValue,
  last_transaction_hash: hashValue,
  last_transaction_lt: bigNumber,
  data_hash: hashValue,
  code_hash: hashValue,
  /** BoC in base64. */
  data_boc: z.string(),
  code_boc: z.string(),
  /** Method ids. */
  contract_methods: z.array(z.number()),
  interfaces: z.array(z.string()),
});

export const v3WalletState = openObject({
  address: addressValue,
  is_wallet: z.boolean(),
  /** Such as `wallet v5 r1`; for other contracts this and the next fields are omitted. */
  wallet_type: z.string(),
  seqno: z.number(),
  wallet_id: z.number(),
  /** Nanocoins. */
  balance: bigNumber,
  extra_currencies: v3ExtraCurrencies,
  /** Only for v5 wallets. */
  is_signature_allowed: z.boolean(),
  status: z.string(),
  suspended: z.boolean(),
  code_hash: hashValue,
  last_transaction_hash: hashValue,
  last_transaction_lt: bigNumber,
});

/** Balance in nanocoins. */
export const v3AccountBalance = openObject({ account: addressValue, balance: bigNumber });

export type V3AccountStateFull = z.output<typeof v3AccountStateFull>;
export type V3WalletState = z.output<typeof v3WalletState>;
export type V3AccountBalance = z.output<typeof v3AccountBalance>;
