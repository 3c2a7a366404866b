/**
 * The v3 API's trace objects as they arrive (description: v3-openapi.json, Trace … TokenInfo).
 * Every field may be missing or null: pending, incomplete and older answers leave them out. 64-bit numbers are decimal
 * strings, hashes base64, addresses `workchain:HEX`, bodies base64 bags of cells. Enumerations are open: a word this
 * product does not know is shown as it is.
 */
export interface V3Trace {
  trace_id?: string | null;
  external_hash?: string | null;
  mc_seqno_start?: string | null;
  mc_seqno_end?: string | null;
  start_lt?: string | null;
  start_utime?: number | null;
  end_lt?: string | null;
  end_utime?: number | null;
  trace_info?: V3TraceInfo | null;
  is_incomplete?: boolean | null;
  warning?: string | null;
  /** Of the local network alone: messages that its emulator could not execute. They wait; nothing becomes of them by itself. */
  failed_messages?: V3FailedMessage[] | null;
  actions?: V3Action[] | null;
  trace?: V3TraceNode | null;
  transactions_order?: string[] | null;
  transactions?: Record<string, V3Transaction> | null;
}

interface V3FailedMessage {
  msg_hash?: string | null;
  destination?: string | null;
  /** For people. */
  error?: string | null;
}

interface V3TraceInfo {
  /** complete, pending, broken. */
  trace_state?: string | null;
  messages?: number | null;
  transactions?: number | null;
  pending_messages?: number | null;
  /** unclassified, failed, ok, broken. */
  classification_state?: string | null;
}

export interface V3TraceNode {
  tx_hash?: string | null;
  in_msg_hash?: string | null;
  /** null when the transaction sent messages but none has a transaction yet. */
  children?: (V3TraceNode | null)[] | null;
  transaction?: V3Transaction | null;
  in_msg?: V3Message | null;
}

export interface V3Action {
  trace_id?: string | null;
  action_id?: string | null;
  start_lt?: string | null;
  end_lt?: string | null;
  start_utime?: number | null;
  end_utime?: number | null;
  transactions?: string[] | null;
  success?: boolean | null;
  type?: string | null;
  details?: Record<string, unknown> | null;
  accounts?: string[] | null;
  trace_external_hash?: string | null;
  trace_external_hash_norm?: string | null;
  finality?: string | null;
}

export interface V3Transaction {
  /** Of the local network alone: what the contract printed with debug instructions. */
  debug_output?: (string | null)[] | null;
  account?: string | null;
  hash?: string | null;
  lt?: string | null;
  now?: number | null;
  mc_block_seqno?: number | null;
  trace_id?: string | null;
  trace_external_hash?: string | null;
  prev_trans_hash?: string | null;
  prev_trans_lt?: string | null;
  orig_status?: string | null;
  end_status?: string | null;
  total_fees?: string | null;
  total_fees_extra_currencies?: Record<string, string> | null;
  description?: V3Description | null;
  block_ref?: { workchain?: number | null; shard?: string | null; seqno?: number | null } | null;
  in_msg?: V3Message | null;
  out_msgs?: (V3Message | null)[] | null;
  account_state_before?: V3AccountState | null;
  account_state_after?: V3AccountState | null;
  emulated?: boolean | null;
  /** pending, confirmed, finalized; absent in answers of 2025. */
  finality?: string | null;
}

interface V3Description {
  /** ord, storage, tick_tock, split_prepare, split_install, merge_prepare, merge_install. */
  type?: string | null;
  aborted?: boolean | null;
  destroyed?: boolean | null;
  credit_first?: boolean | null;
  is_tock?: boolean | null;
  installed?: boolean | null;
  storage_ph?: {
    storage_fees_collected?: string | null;
    storage_fees_due?: string | null;
    status_change?: string | null;
  } | null;
  credit_ph?: {
    credit?: string | null;
    due_fees_collected?: string | null;
    credit_extra_currencies?: Record<string, string> | null;
  } | null;
  compute_ph?: V3ComputePhase | null;
  action?: V3ActionPhase | null;
  bounce?: V3BouncePhase | null;
  split_info?: {
    cur_shard_pfx_len?: number | null;
    acc_split_depth?: number | null;
    this_addr?: string | null;
    sibling_addr?: string | null;
  } | null;
}

interface V3ComputePhase {
  skipped?: boolean | null;
  /** no_state, bad_state, no_gas, suspended; only when skipped. */
  reason?: string | null;
  success?: boolean | null;
  msg_state_used?: boolean | null;
  account_activated?: boolean | null;
  gas_fees?: string | null;
  gas_used?: string | null;
  gas_limit?: string | null;
  gas_credit?: string | null;
  mode?: number | null;
  exit_code?: number | null;
  exit_arg?: number | null;
  vm_steps?: number | null;
  vm_init_state_hash?: string | null;
  vm_final_state_hash?: string | null;
}

interface V3ActionPhase {
  success?: boolean | null;
  valid?: boolean | null;
  no_funds?: boolean | null;
  status_change?: string | null;
  total_fwd_fees?: string | null;
  total_action_fees?: string | null;
  result_code?: number | null;
  result_arg?: number | null;
  tot_actions?: number | null;
  spec_actions?: number | null;
  skipped_actions?: number | null;
  msgs_created?: number | null;
  action_list_hash?: string | null;
  tot_msg_size?: { cells?: string | null; bits?: string | null } | null;
}

interface V3BouncePhase {
  /** negfunds, nofunds, ok. */
  type?: string | null;
  msg_size?: { cells?: string | null; bits?: string | null } | null;
  req_fwd_fees?: string | null;
  msg_fees?: string | null;
  fwd_fees?: string | null;
}

export interface V3Message {
  hash?: string | null;
  /** Only when it differs from `hash` in indexed answers. */
  hash_norm?: string | null;
  source?: string | null;
  destination?: string | null;
  value?: string | null;
  value_extra_currencies?: Record<string, string> | null;
  fwd_fee?: string | null;
  ihr_fee?: string | null;
  extra_flags?: string | null;
  created_lt?: string | null;
  created_at?: string | null;
  /** `0x` and eight hex digits; the description says integer. */
  opcode?: string | number | null;
  decoded_opcode?: string | null;
  ihr_disabled?: boolean | null;
  bounce?: boolean | null;
  bounced?: boolean | null;
  import_fee?: string | null;
  message_content?: V3MessageContent | null;
  init_state?: V3MessageContent | null;
  in_msg_tx_hash?: string | null;
  out_msg_tx_hash?: string | null;
}

interface V3MessageContent {
  hash?: string | null;
  body?: string | null;
  decoded?: unknown;
}

export interface V3AccountState {
  hash?: string | null;
  balance?: string | null;
  extra_currencies?: Record<string, string> | null;
  account_status?: string | null;
  frozen_hash?: string | null;
  data_hash?: string | null;
  code_hash?: string | null;
  data_boc?: string | null;
  code_boc?: string | null;
}

export interface V3AddressBookRow {
  user_friendly?: string | null;
  domain?: string | null;
  interfaces?: string[] | null;
}

export interface V3TokenInfo {
  /** jetton_masters, jetton_wallets, nft_items, nft_collections, …. */
  type?: string | null;
  name?: string | null;
  symbol?: string | null;
  description?: string | null;
  /** A link; never loaded unasked. */
  image?: string | null;
  nft_index?: string | null;
  is_nsfw?: boolean | null;
  is_scam?: boolean | null;
  valid?: boolean | null;
  extra?: Record<string, unknown> | null;
}

export interface V3MetadataRow {
  is_indexed?: boolean | null;
  token_info?: (V3TokenInfo | null)[] | null;
}

type V3AddressBook = Record<string, V3AddressBookRow | null>;
type V3Metadata = Record<string, V3MetadataRow | null>;

/** An answer of `/traces`, `/pendingTraces` or `/events`. */
export interface V3TracesAnswer {
  traces?: (V3Trace | null)[] | null;
  address_book?: V3AddressBook | null;
  metadata?: V3Metadata | null;
}
