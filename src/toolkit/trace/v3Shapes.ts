import type { Shape } from './sound';

/** The kinds of fields in v3Trace.ts, for data that nobody vouches for. */

const content: Shape = { hash: 's', body: 's', decoded: 'x' };

export const messageShape: Shape = {
  hash: 's',
  hash_norm: 's',
  source: 's',
  destination: 's',
  value: 's',
  value_extra_currencies: 'm',
  fwd_fee: 's',
  ihr_fee: 's',
  extra_flags: 's',
  created_lt: 's',
  created_at: 's',
  opcode: 's',
  decoded_opcode: 's',
  ihr_disabled: 'b',
  bounce: 'b',
  bounced: 'b',
  import_fee: 's',
  message_content: content,
  init_state: content,
  in_msg_tx_hash: 's',
  out_msg_tx_hash: 's',
};

const size: Shape = { cells: 's', bits: 's' };

const description: Shape = {
  type: 's',
  aborted: 'b',
  destroyed: 'b',
  credit_first: 'b',
  is_tock: 'b',
  installed: 'b',
  storage_ph: { storage_fees_collected: 's', storage_fees_due: 's', status_change: 's' },
  credit_ph: { credit: 's', due_fees_collected: 's', credit_extra_currencies: 'm' },
  compute_ph: {
    skipped: 'b',
    reason: 's',
    success: 'b',
    msg_state_used: 'b',
    account_activated: 'b',
    gas_fees: 's',
    gas_used: 's',
    gas_limit: 's',
    gas_credit: 's',
    mode: 'n',
    exit_code: 'n',
    exit_arg: 'n',
    vm_steps: 'n',
    vm_init_state_hash: 's',
    vm_final_state_hash: 's',
  },
  action: {
    success: 'b',
    valid: 'b',
    no_funds: 'b',
    status_change: 's',
    total_fwd_fees: 's',
    total_action_fees: 's',
    result_code: 'n',
    result_arg: 'n',
    tot_actions: 'n',
    spec_actions: 'n',
    skipped_actions: 'n',
    msgs_created: 'n',
    action_list_hash: 's',
    tot_msg_size: size,
  },
  bounce: { type: 's', msg_size: size, req_fwd_fees: 's', msg_fees: 's', fwd_fees: 's' },
  split_info: { cur_shard_pfx_len: 'n', acc_split_depth: 'n', this_addr: 's', sibling_addr: 's' },
};

const state: Shape = {
  hash: 's',
  balance: 's',
  extra_currencies: 'm',
  account_status: 's',
  frozen_hash: 's',
  data_hash: 's',
  code_hash: 's',
  data_boc: 's',
  code_boc: 's',
};

export const transactionShape: Shape = {
  debug_output: 'a',
  account: 's',
  hash: 's',
  lt: 's',
  now: 'n',
  mc_block_seqno: 'n',
  trace_id: 's',
  trace_external_hash: 's',
  prev_trans_hash: 's',
  prev_trans_lt: 's',
  orig_status: 's',
  end_status: 's',
  total_fees: 's',
  total_fees_extra_currencies: 'm',
  description,
  block_ref: { workchain: 'n', shard: 's', seqno: 'n' },
  in_msg: messageShape,
  out_msgs: [messageShape],
  account_state_before: state,
  account_state_after: state,
  emulated: 'b',
  finality: 's',
};

const actionShape: Shape = {
  trace_id: 's',
  action_id: 's',
  start_lt: 's',
  end_lt: 's',
  start_utime: 'n',
  end_utime: 'n',
  transactions: 'a',
  success: 'b',
  type: 's',
  details: 'm',
  accounts: 'a',
  trace_external_hash: 's',
  trace_external_hash_norm: 's',
  finality: 's',
};

/** The tree and the transactions are checked where they are read. */
export const traceShape: Shape = {
  trace_id: 's',
  external_hash: 's',
  mc_seqno_start: 's',
  mc_seqno_end: 's',
  start_lt: 's',
  start_utime: 'n',
  end_lt: 's',
  end_utime: 'n',
  trace_info: {
    trace_state: 's',
    messages: 'n',
    transactions: 'n',
    pending_messages: 'n',
    classification_state: 's',
  },
  is_incomplete: 'b',
  warning: 's',
  failed_messages: [{ msg_hash: 's', destination: 's', error: 's' }],
  actions: [actionShape],
  trace: 'm',
  transactions_order: 'a',
  transactions: 'm',
};

export const addressBookShape: Shape = { user_friendly: 's', domain: 's', interfaces: 'a' };

export const metadataShape: Shape = {
  is_indexed: 'b',
  token_info: [
    {
      type: 's',
      name: 's',
      symbol: 's',
      description: 's',
      image: 's',
      nft_index: 's',
      is_nsfw: 'b',
      is_scam: 'b',
      valid: 'b',
      extra: 'm',
    },
  ],
};
