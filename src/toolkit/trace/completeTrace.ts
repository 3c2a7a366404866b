import { answerReader } from '../api/answerReader';
import { v3TransactionList } from '../api/v3Objects';
import { buildTrace } from './buildTrace';
import type { TraceModel } from './traceModel';
import type { TraceSource } from './traceSource';

export interface CompleteOptions {
  signal?: AbortSignal | undefined;
  /** Maximum pages of 1000 transactions to search; default 20. */
  maximumPages?: number | undefined;
}

const pageSize = 1000;

/**
 * Assembles a trace that the service considers too large from `/transactions`: its whole logical time range, page by
 * page, filtered by its id. If the pages do not suffice, the model is marked incomplete. Any other model is returned
 * unchanged, without a request.
 */
export async function completeTrace(
  source: TraceSource,
  model: TraceModel,
  { signal, maximumPages = 20 }: CompleteOptions = {},
): Promise<TraceModel> {
  const { start_lt: start, end_lt: end, trace_info: info } = model.source;
  const isTooLarge = model.problems.some((problem) => problem.code === 'too-large');
  if (!isTooLarge || model.id === undefined || start == null || end == null) {
    return model;
  }
  const expected = info?.transactions ?? undefined;
  const transactions = new Map(Object.entries(model.source.transactions ?? {}));
  for (let page = 0; page < maximumPages; page++) {
    const answer = await source.request(
      'transactions',
      {
        start_lt: start.toString(),
        end_lt: end.toString(),
        limit: pageSize,
        offset: page * pageSize,
        sort: 'asc',
      },
      signal,
    );
    const rows = answerReader(v3TransactionList).salvage(answer)?.transactions ?? [];
    for (const row of rows) {
      if (row.hash != null && row.trace_id === model.id) {
        transactions.set(row.hash, row);
      }
    }
    const found = transactions.size;
    if (rows.length < pageSize || (expected !== undefined && found >= expected)) {
      break;
    }
  }
  return buildTrace({ ...model.source, transactions: Object.fromEntries(transactions) }, model);
}
