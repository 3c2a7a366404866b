import { v3ActionList, v3TraceList } from '../../api/v3Traces';
import { v3Get } from '../endpoint/endpoint';
import { address, choice, flag, hash, int64, integer, list, text, time } from '../endpoint/parameter';

/** Parameters that many v3 endpoints share. */

export const limit = integer('Maximum number of rows.', { minimum: 1, usualMaximum: 1000, default: 10 });
export const offset = integer('Number of rows to skip.', { minimum: 0, default: 0 });
export const page = { limit, offset };

/** The order of rows. */
export const sort = choice('Order; desc is newest (or largest) first.', ['asc', 'desc'], {
  default: 'desc',
});

/** Inclusive ranges in Unix seconds and logical time. */
export const ranges = {
  start_utime: time('From this time, in Unix seconds.'),
  end_utime: time('Up to this time, in Unix seconds.'),
  start_lt: int64('From this logical time.', { minimum: 0 }),
  end_lt: int64('Up to this logical time.', { minimum: 0 }),
};

const category = 'Actions and traces';

const supportedActionTypes = list(
  text(
    'Action types or sets (v1 … v4, latest, jettons, nft, …) that you support; others are returned as simpler types.',
  ),
);

/** The types known to every server version; newer ones are passed on as typed. */
const actionTypes = [
  'call_contract',
  'contract_deploy',
  'ton_transfer',
  'auction_bid',
  'change_dns',
  'dex_deposit_liquidity',
  'dex_withdraw_liquidity',
  'delete_dns',
  'renew_dns',
  'election_deposit',
  'election_recover',
  'jetton_burn',
  'jetton_swap',
  'jetton_transfer',
  'jetton_mint',
  'nft_mint',
  'nft_transfer',
  'tick_tock',
  'stake_deposit',
  'stake_withdrawal',
  'stake_withdrawal_request',
  'subscribe',
  'unsubscribe',
] as const;

export const v3Traces = {
  traces: v3Get({
    path: '/traces',
    category,
    purpose: 'Traces by account, trace, transaction, or message; without a filter, the newest.',
    parameters: {
      account: address(
        'Participating account. Give at most one of account, trace_id, tx_hash, and msg_hash.',
      ),
      trace_id: list(hash('Hashes of root transactions.')),
      tx_hash: list(hash('Hashes of any transactions in the traces.')),
      msg_hash: list(hash('Hashes, raw or normalized, of any messages in the traces.')),
      mc_seqno: integer('Masterchain block in which the traces ended.', { minimum: 0 }),
      ...ranges,
      include_actions: flag('Include the actions of each trace.', { default: false }),
      supported_action_types: supportedActionTypes,
      ...page,
      sort,
    },
    result: v3TraceList,
  }),
  pendingTraces: v3Get({
    path: '/pendingTraces',
    category,
    purpose: 'Traces that are still running; needs account or ext_msg_hash.',
    parameters: {
      account: address('Participating account; takes precedence over ext_msg_hash.'),
      ext_msg_hash: list(hash('Normalized hashes of external messages, or hashes of any in-messages.')),
    },
    result: v3TraceList,
  }),
  actions: v3Get({
    path: '/actions',
    category,
    purpose: 'Actions (transfers, swaps, deploys, …) by account, transaction, message, trace, or type.',
    parameters: {
      account: address('Participating account.'),
      tx_hash: list(hash('Hashes of transactions of the actions.')),
      msg_hash: list(hash('Hashes of messages of the actions.')),
      action_id: list(hash('Ids of actions; replaces every other filter.')),
      trace_id: list(hash('Hashes of root transactions.')),
      mc_seqno: integer('Masterchain block in which the traces ended.', { minimum: 0 }),
      ...ranges,
      action_type: list(choice('Only these types.', actionTypes, { open: true })),
      exclude_action_type: list(choice('Leave out these types.', actionTypes, { open: true })),
      supported_action_types: supportedActionTypes,
      include_accounts: flag('Include the accounts of each action.', { default: false }),
      include_transactions: flag('Include the full transactions of each action.', { default: false }),
      ...page,
      sort,
    },
    result: v3ActionList,
  }),
  pendingActions: v3Get({
    path: '/pendingActions',
    category,
    purpose: 'Actions of traces that are still running; needs account or ext_msg_hash.',
    parameters: {
      account: address('Participating account.'),
      ext_msg_hash: list(hash('Normalized hashes of external messages.')),
      supported_action_types: supportedActionTypes,
      include_transactions: flag('Include the full transactions of each action.', { default: false }),
    },
    result: v3ActionList,
  }),
};
