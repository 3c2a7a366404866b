import type { Exact, V3Transaction } from '../../api/v3Objects';
import type { V3Trace } from '../../api/v3Traces';
import { mapInTurns } from '../../base/turns';
import { ApiError } from '../api/apiError';
import type { PendingMessage } from '../chain/inboundMessage';
import type { LocalChain } from '../chain/localChain';
import { previewLedger } from '../chain/previewLedger';
import type { TraceRecord, TransactionRecord } from '../records/records';
import type { V3Answer } from './blocks';
import { encodeAction, findActions } from './actions';
import { addressBookOnly, books } from './blocks';
import { encodeTrace, encodeV3Transaction } from './v3Context';
import type { V3Context } from './v3Context';
import type { Query } from './query';
import { completeAction } from './selectActions';

/** GET /pendingTraces: accepted messages before their block, and traces with undelivered messages. */
export async function pendingTraces(context: V3Context, query: Query): Promise<V3Answer<'pendingTraces'>> {
  const { waiting, open } = select(context, query);
  const rows = [
    ...(await mapInTurns(waiting, (pending) => encodePending(context, pending))),
    ...(await mapInTurns(open, (trace) => encodeOpen(context, trace))),
  ];
  // Without a match the service returns null here, not an empty list.
  return { traces: rows.length === 0 ? null : rows, ...(await books(context, query, rows)) };
}

/** GET /pendingTransactions. */
export async function pendingTransactions(
  context: V3Context,
  query: Query,
): Promise<V3Answer<'pendingTransactions'>> {
  const accounts = query.addresses('account');
  if (accounts.length === 0) {
    throw new ApiError(422, 'at least 1 account address required');
  }
  const { chain } = context;
  const ids = new Set(query.hashes('trace_id'));
  const waiting = [...chain.pending.values()]
    .filter(({ destination }) => accounts.includes(destination))
    .map((pending) => {
      const record = pendingTransaction(chain, pending);
      return { id: record.hash, row: markPending(encodeV3Transaction(context, record), pending) };
    });
  const open = [...chain.ledger.openTraces]
    .flatMap((trace) => trace.transactions)
    .filter(({ account }) => accounts.includes(account.address))
    .map((record) => ({
      id: record.trace.transactions[0]?.hash ?? '',
      row: encodeV3Transaction(context, record),
    }));
  const rows = [...waiting, ...open].filter(({ id }) => ids.size === 0 || ids.has(id)).map(({ row }) => row);
  if (rows.length === 0) {
    throw new ApiError(404, 'emulated traces not found');
  }
  return { transactions: rows, ...(await addressBookOnly(context, query, rows)) };
}

/** GET /pendingActions. */
export async function pendingActions(context: V3Context, query: Query): Promise<V3Answer<'pendingActions'>> {
  const { waiting, open } = select(context, query);
  await context.tokens.refresh();
  const roots = waiting.map((pending) => ({ pending, record: pendingTransaction(context.chain, pending) }));
  const found = [
    ...roots.map(({ pending, record }) => ({
      trace: record.trace,
      encode: (one: TransactionRecord) => markPending(encodeV3Transaction(context, one), pending),
    })),
    ...open.map((trace) => ({
      trace,
      encode: (one: TransactionRecord) => encodeV3Transaction(context, one),
    })),
  ];
  const perTrace = await mapInTurns(found, async ({ trace, encode }) =>
    (await findActions(context.tokens, trace)).map((one) =>
      completeAction(query, one, { ...encodeAction(one), finality: 'pending' }, encode),
    ),
  );
  const actions = perTrace.flat();
  return { actions, ...(await books(context, query, actions)) };
}

function select({ chain }: V3Context, query: Query): { waiting: PendingMessage[]; open: TraceRecord[] } {
  const account = query.address('account');
  const hashes = new Set(query.hashes('ext_msg_hash'));
  if (account === undefined && hashes.size === 0) {
    throw new ApiError(422, 'account or ext_msg_hash should be specified');
  }
  return {
    waiting: [...chain.pending.values()].filter((pending) => concerns(pending, account, hashes)),
    open: [...chain.ledger.openTraces].filter((trace) => touches(trace, account, hashes)),
  };
}

function concerns({ external }: PendingMessage, account: string | undefined, hashes: Set<string>): boolean {
  return account === undefined
    ? hashes.has(external.hash) || hashes.has(external.normalized)
    : external.facts.destination === account;
}

function touches(trace: TraceRecord, account: string | undefined, hashes: Set<string>): boolean {
  return trace.transactions.some(({ account: { address }, inMessage }) =>
    account === undefined
      ? inMessage !== null && (hashes.has(inMessage.hash) || hashes.has(inMessage.normalized ?? ''))
      : address === account,
  );
}

/** A trace too large to return has no actions until it is complete: clients following it poll often. */
async function encodeOpen(context: V3Context, trace: TraceRecord): Promise<Exact<V3Trace>> {
  const encoded = await encodeTrace(context, trace);
  const isTooLarge = trace.transactions.length > context.maximumTraceTransactions;
  return isTooLarge
    ? encoded
    : { ...encoded, actions: (await findActions(context.tokens, trace)).map(encodeAction) };
}

/**
 * An accepted message as a trace: its root transaction from the dry run (the network's emulation), with the sent
 * messages still on their way.
 */
export async function encodePending(context: V3Context, pending: PendingMessage): Promise<Exact<V3Trace>> {
  const record = pendingTransaction(context.chain, pending);
  const encoded = await encodeTrace(context, record.trace);
  const info = { ...encoded.trace_info, trace_state: 'pending' };
  return {
    ...encoded,
    mc_seqno_end: 0,
    end_lt: null,
    end_utime: null,
    trace_info: info,
    actions: [],
    transactions: Object.fromEntries(
      Object.entries(encoded.transactions ?? {}).map(([hash, transaction]) => [
        hash,
        transaction && markPending(transaction, pending),
      ]),
    ),
  };
}

/** A pending transaction in the indexed API's format. */
export function markPending(
  transaction: Exact<V3Transaction>,
  { external }: PendingMessage,
): Exact<V3Transaction> {
  return {
    ...transaction,
    trace_external_hash: external.normalized,
    emulated: true,
    finality: 'pending',
    // Pending answers contain the normalized hash of every external message.
    in_msg: { ...transaction.in_msg, hash_norm: external.normalized },
  };
}

/** The record that the transaction will have in the next block. */
export function pendingTransaction(
  { ledger }: LocalChain,
  { dryRun, destination }: PendingMessage,
): TransactionRecord {
  const { outcome, context } = dryRun;
  if (!outcome.success) {
    throw new Error('a pending message has no successful dry run');
  }
  const state = { address: destination, shardAccount: Buffer.from(dryRun.shardAccount, 'base64') };
  const before = ledger.accounts.has(destination) ? [state] : [];
  const transaction = {
    address: destination,
    boc: Buffer.from(outcome.transaction, 'base64'),
    shardAccount: Buffer.from(outcome.shardAccount, 'base64'),
  };
  return previewLedger(context, before, [transaction]).last.transactions[0] as TransactionRecord;
}
