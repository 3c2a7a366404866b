import { ApiError } from '../api/apiError';
import type { TransactionRecord } from '../chain/transactionRecord';
import type { TraceRecord } from '../chain/records';
import { actionsOf } from './actions';
import { books } from './books';
import type { V3Context } from './context';
import type { Json } from './encodeDescription';
import { encodeTransaction } from './encodeTransaction';
import type { Query } from './query';
import { inRanges, takePage } from './query';
import { candidates } from './selectTraces';

/** GET /actions: filters combine; action_id replaces all others. */
export async function actions(context: V3Context, query: Query): Promise<Json> {
  const page = query.page();
  for (const type of [...query.list('action_type'), ...query.list('exclude_action_type')]) {
    if (!/^[A-Za-z0-9_.]+$/.test(type)) {
      throw new ApiError(422, 'action_type contains invalid characters');
    }
  }
  await context.tokens.refresh();
  const matches = filters(context, query);
  const found = function* (): Iterable<Json> {
    for (const trace of traces(context, query, page.ascending)) {
      const all = trace.pendingMessages > 0 ? [] : actionsOf(context, trace);
      for (const action of page.ascending ? all : all.reverse()) {
        if (matches(action, trace)) {
          yield action;
        }
      }
    }
  };
  const { ledger } = context.chain;
  const rows = takePage(found(), page).map((action) =>
    completeAction(query, action, (hash) => {
      const record = ledger.transaction(hash);
      return record && { record, encode: () => encodeTransaction(context, record) };
    }),
  );
  return { actions: rows, ...(await books(context, query, rows)) };
}

function traces(context: V3Context, query: Query, ascending: boolean): Iterable<TraceRecord> {
  const { chain } = context;
  const mcSeqno = query.integer('mc_seqno');
  const key = (['trace_id', 'tx_hash', 'msg_hash', 'account'] as const).find(
    (name) => query.list(name).length > 0,
  );
  if (mcSeqno !== undefined && chain.ledger.block(mcSeqno) === undefined) {
    throw new ApiError(404, `masterchain block ${mcSeqno} not found`);
  }
  return candidates(chain, query, query.list('action_id').length > 0 ? undefined : key, mcSeqno, ascending);
}

function filters(
  { chain: { ledger } }: V3Context,
  query: Query,
): (action: Json, trace: TraceRecord) => boolean {
  const ids = new Set(query.hashes('action_id'));
  if (ids.size > 0) {
    return (action) => ids.has(action.action_id as string);
  }
  const account = query.address('account');
  const transactions = new Set(query.hashes('tx_hash'));
  const messages = query.hashes('msg_hash');
  const types = new Set(query.list('action_type'));
  const excluded = new Set(query.list('exclude_action_type'));
  const ranges = query.ranges();
  const ofMessages = new Set(
    messages.flatMap((hash) =>
      ledger.messages(hash).flatMap(({ consumer, producer }) => [consumer?.hash, producer?.hash]),
    ),
  );
  return (action, trace) => {
    const hashes = action.transactions as string[];
    const type = action.type as string;
    const last = trace.transactions.at(-1) as TransactionRecord;
    return (
      (account === undefined || accountsOf(action, (hash) => ledger.transaction(hash)).includes(account)) &&
      (transactions.size === 0 || hashes.some((hash) => transactions.has(hash))) &&
      (messages.length === 0 || hashes.some((hash) => ofMessages.has(hash))) &&
      (types.size === 0 || types.has(type)) &&
      !excluded.has(type) &&
      inRanges(ranges, last.now, trace.endLt)
    );
  };
}

/** Accounts of the action's transactions and in its details. */
function accountsOf(action: Json, find: (hash: string) => TransactionRecord | undefined): string[] {
  const own = (action.transactions as string[]).map((hash) => find(hash)?.account.address);
  const named = Object.values(action.details as Json).filter(
    (value): value is string => typeof value === 'string' && /^-?\d+:[0-9A-F]{64}$/.test(value),
  );
  return [...new Set([...own.filter((address) => address !== undefined), ...named])];
}

/** A transaction of an action, and its form in the answer. */
export interface ActionTransaction {
  record: TransactionRecord;
  encode(): Json;
}

/** The action with what the caller wants besides: its accounts, its transactions. */
export function completeAction(
  query: Query,
  action: Json,
  find: (hash: string) => ActionTransaction | undefined,
): Json {
  const full = (action.transactions as string[]).map(find).filter((found) => found !== undefined);
  return {
    ...action,
    ...(query.flag('include_accounts', false)
      ? { accounts: accountsOf(action, (hash) => find(hash)?.record) }
      : {}),
    ...(query.flag('include_transactions', false)
      ? { transactions_full: full.map((found) => found.encode()) }
      : {}),
  };
}
