import { ApiError } from '../api/apiError';
import type { LocalChain } from '../chain/localChain';
import type { TransactionRecord, TraceEntry, TraceRecord } from '../records/records';
import type { Query } from './query';
import { inRanges, takePage } from './page';
import { walk } from './selectTransactions';

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
export function candidates(
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
export function byEnd(traces: readonly (TraceRecord | undefined)[], ascending: boolean): TraceRecord[] {
  const unique = [...new Set(traces.filter((trace) => trace !== undefined))];
  const direction = ascending ? 1 : -1;
  return unique.sort((a, b) => (a.endLt === b.endLt ? 0 : a.endLt < b.endLt ? -direction : direction));
}

function lastTransaction(trace: TraceRecord): TransactionRecord {
  return trace.transactions[trace.transactions.length - 1] as TransactionRecord;
}
