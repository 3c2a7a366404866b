import type { AccountsByName } from '../address/resolveAccount';
import { WorkbenchError } from '../base/errors';
import type { TraceQuery } from './parseTraceQuery';
import { parseTraceQuery } from './parseTraceQuery';
import type { TraceParameter, TraceSource } from './readTraces';
import { completeTrace, findPendingTraces, readTraces } from './readTraces';
import type { TraceModel } from './traceModel';
import { traceNames } from './traceModel';

export interface FindOptions {
  signal?: AbortSignal | undefined;
  /** For an account: number of traces, newest first. Default 10, at most 1000. */
  limit?: number | undefined;
  /** For an account: number of traces to skip. */
  offset?: number | undefined;
  /** Unix seconds, applied to the end of the traces. */
  startTime?: number | undefined;
  /** With these, the text may be an account's name. */
  names?: AccountsByName | undefined;
}

/**
 * The traces identified by a text: the newest of an account, or the one with a hash (of a transaction, any message,
 * raw or normalized, or the trace), indexed or still pending. At most three requests for a hash.
 *
 * @throws WorkbenchError `trace-query-invalid`, `trace-not-found`, and the errors of the source
 */
export async function findTrace(
  source: TraceSource,
  text: string,
  options: FindOptions = {},
): Promise<TraceModel[]> {
  const query = parseTraceQuery(text, options.names);
  const found = await (query.kind === 'account'
    ? newestTraces(source, query.account, options)
    : hashTraces(source, query.hash, options));
  if (found.length === 0 && (options.offset ?? 0) === 0) {
    throw notFound(query);
  }
  return found;
}

/**
 * The newest traces of an account, pending ones before those in blocks (omitted with `offset`, which only counts the
 * latter).
 */
export async function newestTraces(
  source: TraceSource,
  account: string,
  options: FindOptions = {},
): Promise<TraceModel[]> {
  if ((options.offset ?? 0) > 0) {
    return accountTraces(source, account, options);
  }
  const pending = (await findPendingTraces(source, { account }, options.signal)) ?? [];
  const indexed = await accountTraces(source, account, options);
  // Traces that got into a block between the two requests are in both answers.
  const done = new Set(indexed.flatMap(traceNames));
  return [...pending.filter((model) => !traceNames(model).some((name) => done.has(name))), ...indexed];
}

/** The newest traces of an account that are in blocks. Empty if there are none. */
async function accountTraces(
  source: TraceSource,
  account: string,
  options: FindOptions = {},
): Promise<TraceModel[]> {
  return readTraces(
    await source.request(
      'traces',
      {
        ...common,
        account,
        limit: Math.min(Math.max(options.limit ?? 10, 1), 1000),
        offset: options.offset,
        start_utime: options.startTime,
      },
      options.signal,
    ),
  );
}

const common: Readonly<Record<string, TraceParameter>> = { include_actions: true, sort: 'desc' };

async function hashTraces(source: TraceSource, hash: string, { signal }: FindOptions): Promise<TraceModel[]> {
  for (const key of ['tx_hash', 'msg_hash']) {
    const found = readTraces(await source.request('traces', { ...common, [key]: [hash], limit: 10 }, signal));
    if (found.length > 0) {
      return Promise.all(found.map((model) => completeTrace(source, model, { signal })));
    }
  }
  return (await findPendingTraces(source, { ext_msg_hash: [hash] }, signal)) ?? [];
}

function notFound(query: TraceQuery): WorkbenchError {
  const isAccount = query.kind === 'account';
  return new WorkbenchError({
    code: 'trace-not-found',
    kind: 'failed',
    message: isAccount
      ? `The account ${query.account} has no traces on this network.`
      : `No trace on this network has a transaction or message with the hash ${query.hash}.`,
    hint: 'Check the network; if it was sent a moment ago, follow it until it arrives.',
    details: { ...query },
  });
}
