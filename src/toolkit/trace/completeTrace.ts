import { buildTrace } from './buildTrace';
import { amountOf, hashKey } from './traceKeys';
import type { TraceModel } from './traceModel';
import type { TraceSource } from './traceSource';
import type { V3Transaction } from './v3Trace';

export interface CompleteOptions {
  signal?: AbortSignal | undefined;
  /** Pages of 1000 transactions to look through at most; default 20. */
  maximumPages?: number | undefined;
  onProgress?: ((found: number, expected: number | undefined) => void) | undefined;
}

const pageSize = 1000;

/**
 * A trace that the service refuses as too large, put together from `/transactions`: all of its span of logical time, page
 * by page, as far as they carry its id. What cannot be found within the pages leaves the model labelled incomplete. Any
 * other model comes back as it is, without a request.
 */
export async function completeTrace(
  source: TraceSource,
  model: TraceModel,
  { signal, maximumPages = 20, onProgress }: CompleteOptions = {},
): Promise<TraceModel> {
  const { start_lt: start, end_lt: end, trace_info: info } = model.source;
  const isTooLarge = model.problems.some((problem) => problem.code === 'too-large');
  if (!isTooLarge || model.id === undefined || amountOf(start) === undefined || amountOf(end) === undefined) {
    return model;
  }
  const expected = info?.transactions ?? undefined;
  const transactions = new Map(Object.entries(model.source.transactions ?? {}));
  for (let page = 0; page < maximumPages; page++) {
    const answer = (await source.request(
      'transactions',
      {
        start_lt: start ?? undefined,
        end_lt: end ?? undefined,
        limit: pageSize,
        offset: page * pageSize,
        sort: 'asc',
      },
      signal,
    )) as { transactions?: unknown } | null;
    const rows = Array.isArray(answer?.transactions) ? (answer.transactions as (V3Transaction | null)[]) : [];
    for (const row of rows) {
      if (
        typeof row?.hash === 'string' &&
        typeof row.trace_id === 'string' &&
        hashKey(row.trace_id) === model.id
      ) {
        transactions.set(row.hash, row);
      }
    }
    const found = transactions.size;
    onProgress?.(found, expected);
    if (rows.length < pageSize || (expected !== undefined && found >= expected)) {
      break;
    }
  }
  return buildTrace({ ...model.source, transactions: Object.fromEntries(transactions) }, model);
}
