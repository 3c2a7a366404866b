import type { Exact, V3Transaction } from '../../api/v3Objects';
import type { V3Action } from '../../api/v3Traces';
import { mapInTurns } from '../../base/turns';
import { ApiError } from '../api/apiError';
import type { LocalChain } from '../chain/localChain';
import type { TraceEntry, TraceRecord, TransactionRecord } from '../records/records';
import type { ActionFilter } from './actionIndex';
import type { Found } from './actions';
import { accountsOf, actionId, encodeAction, traceOfAction } from './actions';
import type { V3Answer } from './blocks';
import { books } from './blocks';
import type { V3Context } from './v3Context';
import { encodeV3Transaction } from './v3Context';
import { inRanges, takePage } from './page';
import type { Query } from './query';
import { walk } from './selectTransactions';

/** GET /actions: filters combine; action_id replaces all others. */
export async function actions(context: V3Context, query: Query): Promise<V3Answer<'actions'>> {
  for (const type of [...query.list('action_type'), ...query.list('exclude_action_type')]) {
    if (!/^[A-Za-z0-9_.]+$/.test(type)) {
      throw new ApiError(422, 'action_type contains invalid characters');
    }
  }
  await context.tokens.refresh();
  const found = await select(context, query);
  const rows = await mapInTurns(found, (one) => {
    return completeAction(query, one, encodeAction(one), (record) => encodeV3Transaction(context, record));
  });
  return { actions: rows, ...(await books(context, query, rows)) };
}

async function select(context: V3Context, query: Query): Promise<Found[]> {
  const page = query.page();
  const filter = readFilter(query);
  const traces = namedTraces(context, query, page.ascending);
  if (traces === undefined) {
    await context.actions.update();
    return (await context.actions.page(filter, page)).map(({ found }) => found);
  }
  const matches = matcher(context, query, filter);
  const perTrace = await mapInTurns(traces, async (trace) => {
    const all = trace.pendingMessages > 0 ? [] : await context.actions.of(trace);
    return (page.ascending ? all : all.toReversed()).filter((found) => matches(found, trace));
  });
  return takePage(perTrace.flat(), page);
}

function readFilter(query: Query): ActionFilter {
  return {
    account: query.address('account'),
    types: new Set(query.list('action_type')),
    excluded: new Set(query.list('exclude_action_type')),
    ranges: query.ranges(),
  };
}

/** The few traces that can contain matches; undefined if any trace may. */
function namedTraces(
  { chain }: V3Context,
  query: Query,
  ascending: boolean,
): Iterable<TraceRecord> | undefined {
  const mcSeqno = query.integer('mc_seqno');
  if (mcSeqno !== undefined && chain.ledger.block(mcSeqno) === undefined) {
    throw new ApiError(404, `masterchain block ${mcSeqno} not found`);
  }
  const ids = query.hashes('action_id');
  if (ids.length > 0) {
    return byEnd(
      ids.map((id) => traceOfAction(chain.ledger, id)),
      ascending,
    );
  }
  const key = (['trace_id', 'tx_hash', 'msg_hash'] as const).find((name) => query.list(name).length > 0);
  return key === undefined && mcSeqno === undefined
    ? undefined
    : candidates(chain, query, key, mcSeqno, ascending);
}

function matcher(
  { chain: { ledger } }: V3Context,
  query: Query,
  { account, types, excluded, ranges }: ActionFilter,
): (action: Found, trace: TraceRecord) => boolean {
  const ids = new Set(query.hashes('action_id'));
  if (ids.size > 0) {
    return (action) => ids.has(actionId(action));
  }
  const hashes = new Set(query.hashes('tx_hash'));
  const messages = query.hashes('msg_hash');
  const ofMessages = new Set(
    messages.flatMap((hash) =>
      ledger.messages(hash).flatMap(({ consumer, producer }) => [consumer, producer]),
    ),
  );
  return (action, trace) => {
    const { type, transactions } = action;
    const last = trace.transactions.at(-1) as TransactionRecord;
    return (
      (account === undefined || accountsOf(action).has(account)) &&
      (hashes.size === 0 || transactions.some(({ hash }) => hashes.has(hash))) &&
      (messages.length === 0 || transactions.some((one) => ofMessages.has(one))) &&
      (types.size === 0 || types.has(type)) &&
      !excluded.has(type) &&
      inRanges(ranges, last.now, trace.endLt)
    );
  };
}

/** The action with requested extras: its accounts, its transactions. */
export function completeAction(
  query: Query,
  found: Found,
  action: Exact<V3Action>,
  encode: (transaction: TransactionRecord) => Exact<V3Transaction>,
): Exact<V3Action> {
  return {
    ...action,
    ...(query.flag('include_accounts', false) ? { accounts: [...accountsOf(found)] } : {}),
    ...(query.flag('include_transactions', false)
      ? { transactions_full: found.transactions.map(encode) }
      : {}),
  };
}

const keys = ['account', 'trace_id', 'tx_hash', 'msg_hash'] as const;

/** The rows of `/traces`. Ranges apply to the end of a trace. */
export function selectTraces(chain: LocalChain, query: Query): TraceRecord[] {
  const given = keys.filter((key) => query.list(key).length > 0);
  if (given.length > 1) {
    throw new ApiError(422, 'only one of account, trace_id, tx_hash, msg_hash should be specified');
  }
  const page = query.page();
  const ranges = query.ranges();
  const mcSeqno = query.integer('mc_seqno');
  if (mcSeqno !== undefined && chain.ledger.block(mcSeqno) === undefined) {
    throw new ApiError(404, `masterchain block ${mcSeqno} not found`);
  }
  const source = candidates(chain, query, given[0], mcSeqno, page.ascending);
  const matches = function* (): Iterable<TraceRecord> {
    for (const trace of source) {
      const last = lastTransaction(trace);
      const atBlock = mcSeqno === undefined || (trace.pendingMessages === 0 && last.block.seqno === mcSeqno);
      if (atBlock && inRanges(ranges, last.now, trace.endLt)) {
        yield trace;
      }
    }
  };
  return takePage(matches(), page);
}

/** Traces from the narrowest index, by their end. */
function candidates(
  { ledger }: LocalChain,
  query: Query,
  key: (typeof keys)[number] | undefined,
  mcSeqno: number | undefined,
  ascending: boolean,
): Iterable<TraceRecord> {
  switch (key) {
    case 'account':
      return current(ledger.accounts.get(query.address('account') as string)?.traces ?? [], ascending);
    case 'trace_id': {
      const roots = query.hashes('trace_id').map((hash) => ledger.transaction(hash));
      return byEnd(
        roots.filter((root) => root?.trace.transactions[0] === root).map((root) => root?.trace),
        ascending,
      );
    }
    case 'tx_hash':
      return byEnd(
        query.hashes('tx_hash').map((hash) => ledger.transaction(hash)?.trace),
        ascending,
      );
    case 'msg_hash': {
      const messages = query.hashes('msg_hash').flatMap((hash) => ledger.messages(hash));
      return byEnd(
        messages.map((message) => (message.consumer ?? message.producer)?.trace),
        ascending,
      );
    }
    case undefined: {
      if (mcSeqno === undefined) {
        return current(ledger.traces, ascending);
      }
      const transactions = ledger.block(mcSeqno)?.transactions ?? [];
      return byEnd(
        transactions.map((transaction) => transaction.trace),
        ascending,
      );
    }
  }
}

/** Entries that still state the trace's end. */
function* current(entries: readonly TraceEntry[], ascending: boolean): Iterable<TraceRecord> {
  for (const { trace, endLt } of walk(entries, ascending)) {
    if (trace.endLt === endLt) {
      yield trace;
    }
  }
}

/** Each trace once, ordered by end or reversed. */
function byEnd(traces: readonly (TraceRecord | undefined)[], ascending: boolean): TraceRecord[] {
  const unique = [...new Set(traces.filter((trace) => trace !== undefined))];
  const direction = ascending ? 1 : -1;
  return unique.sort((a, b) => (a.endLt === b.endLt ? 0 : a.endLt < b.endLt ? -direction : direction));
}

function lastTransaction(trace: TraceRecord): TransactionRecord {
  return trace.transactions[trace.transactions.length - 1] as TransactionRecord;
}
