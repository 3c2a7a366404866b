import { answerReader } from '../api/answerReader';
import { v3TransactionList } from '../api/v3Objects';
import type { V3TraceList } from '../api/v3Traces';
import { v3TraceList } from '../api/v3Traces';
import { WorkbenchError, checkVersion, toWorkbenchError } from '../base/errors';
import type { TraceSurroundings } from './buildTrace';
import { buildTrace } from './buildTrace';
import type { TraceModel } from './traceModel';
import { hashIn } from './traceKeys';

/** Traces that an answer of the indexed API refers to. */
export type AnswerTraces =
  /** It contains them. */
  | { kind: 'held'; models: TraceModel[] }
  /** It refers to them, as actions do; lowercase hex. */
  | { kind: 'named'; traceIds: string[] }
  /** They ended in the masterchain block of the answer. */
  | { kind: 'block'; seqno: number };

/** Maximum requested at once; the rest is omitted. */
const mostNamed = 100;

/** The traces that an answer refers to; undefined if it has none. */
export function answerTraces(answer: unknown): AnswerTraces | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    return undefined;
  }
  const { traces, events, transactions, actions, blocks } = answer as Record<string, unknown>;
  if ([traces, events, transactions].some((list) => Array.isArray(list) && list.length > 0)) {
    return { kind: 'held', models: readTraces(answer) };
  }
  const ids = rowsOf(actions).flatMap(({ trace_id: id }) => (typeof id === 'string' ? [hashIn(id)] : []));
  if (ids.length > 0) {
    return { kind: 'named', traceIds: [...new Set(ids)].slice(0, mostNamed) };
  }
  const seqno = rowsOf(blocks).find(({ workchain }) => workchain === -1)?.seqno;
  return typeof seqno === 'number' ? { kind: 'block', seqno } : undefined;
}

/** Fetches the result of {@link answerTraces}, unless the answer contains it. */
export async function fetchAnswerTraces(
  source: TraceSource,
  found: AnswerTraces,
  signal?: AbortSignal,
): Promise<TraceModel[]> {
  if (found.kind === 'held') {
    return found.models;
  }
  const filter =
    found.kind === 'named'
      ? { trace_id: found.traceIds, limit: found.traceIds.length }
      : { mc_seqno: found.seqno, limit: mostNamed };
  return readTraces(
    await source.request('traces', { ...filter, include_actions: true, sort: 'desc' }, signal),
  );
}

function rowsOf(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list)
    ? list.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
    : [];
}

/**
 * The traces in any accepted data: an answer of `/traces`, `/pendingTraces`, `/events` or an emulation, a single
 * trace object, an answer of `/transactions` or transactions alone (grouped by trace id), or a saved trace file. `value` is JSON as a
 * service sends it; it is converted in place and must not be used afterward.
 *
 * @param options `isPending` if the traces come from a list of pending ones
 * @throws WorkbenchError `trace-unreadable` if `value` is none of these, `format-newer` (input)
 */
export function readTraces(value: unknown, options: Pick<TraceSurroundings, 'isPending'> = {}): TraceModel[] {
  const answer = answerReader(v3TraceList).salvage(answerOf(value)) ?? {};
  const surroundings = { ...surroundingsOf(answer), ...options };
  return (answer.traces ?? []).map((trace) => buildTrace(trace, surroundings));
}

/** The address book and metadata of an answer by account. */
export function surroundingsOf({
  address_book: book,
  metadata,
}: Pick<V3TraceList, 'address_book' | 'metadata'>): Required<Omit<TraceSurroundings, 'isPending'>> {
  return { addressBook: rowsByAccount(book), metadata: rowsByAccount(metadata) };
}

function rowsByAccount<Row>(rows: Record<string, Row | null> | null | undefined): Map<string, Row> {
  return new Map(
    Object.entries(rows ?? {}).flatMap(([account, row]) => (row === null ? [] : [[account, row]])),
  );
}

/** Converts every accepted shape to that of a `/traces` answer, still as JSON. */
function answerOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value as unknown[];
    return { traces: items.length > 0 && items.every(isTransaction) ? groupTransactions(items) : items };
  }
  if (!isObject(value)) {
    throw unreadable('It does not contain a JSON object.');
  }
  if (value.format === traceFileFormat && isObject(value.answer)) {
    checkVersion('This saved trace', value, traceFileVersion);
    return answerOf(value.answer);
  }
  if (Array.isArray(value.traces) || value.traces === null) {
    return value;
  }
  if (Array.isArray(value.events)) {
    return { ...value, traces: value.events as unknown[] };
  }
  if (Array.isArray(value.transactions)) {
    return { ...value, traces: groupTransactions(value.transactions) };
  }
  if (isTransaction(value)) {
    return { traces: groupTransactions([value]) };
  }
  if (isObject(value.transactions) || 'trace_id' in value || isObject(value.trace)) {
    return { ...value, traces: [value] };
  }
  throw unreadable('It has neither traces nor transactions.');
}

/** Marker of a saved trace file; see {@link saveTrace}. */
export const traceFileFormat = 'ton-workbench-trace';
export const traceFileVersion = 1;

/** Traces from loose transactions, for example the pages of a trace that is too large for `/traces`. */
function groupTransactions(transactions: readonly unknown[]): Record<string, unknown>[] {
  const groups = new Map<string, Map<string, unknown>>();
  transactions.forEach((transaction, position) => {
    if (!isObject(transaction)) {
      return;
    }
    const { trace_id: trace, hash } = transaction;
    const id = typeof trace === 'string' ? trace : '';
    const group = groups.get(id) ?? new Map<string, unknown>();
    group.set(typeof hash === 'string' ? hash : `#${position}`, transaction);
    groups.set(id, group);
  });
  return [...groups].map(([id, group]) => ({
    ...(id === '' ? {} : { trace_id: id }),
    transactions: Object.fromEntries(group),
  }));
}

/** A transaction alone: it names its trace, too, but has an account and a logical time of its own. */
function isTransaction(value: unknown): boolean {
  return isObject(value) && !('transactions' in value) && 'account' in value && 'lt' in value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(why: string): WorkbenchError {
  return new WorkbenchError({
    code: 'trace-unreadable',
    kind: 'input',
    message: `This is not a trace. ${why}`,
    hint: 'Give an answer of /api/v3/traces or /api/v3/transactions, or a file saved with "TON: Save Trace".',
  });
}

/**
 * Traces not yet in a block, by one filter (`ext_msg_hash` or `account`; the service does not combine them).
 * @returns undefined if the service has no pending traces and rejects every such request
 * @throws other errors of the source
 */
export async function findPendingTraces(
  source: TraceSource,
  filter: Readonly<Record<string, TraceParameter>>,
  signal?: AbortSignal,
): Promise<TraceModel[] | undefined> {
  try {
    return readTraces(await source.request('pendingTraces', filter, signal), { isPending: true });
  } catch (error) {
    if (saysThereAreNone(error)) {
      return undefined;
    }
    throw error;
  }
}

/** A service without a store of pending traces says so in text, or does not know the path. */
function saysThereAreNone(error: unknown): boolean {
  const { kind, details } = toWorkbenchError(error);
  return (
    kind === 'service' &&
    (/not initialized/.test(String(details.serviceText)) || [404, 405, 501].includes(Number(details.status)))
  );
}

/** The endpoints that traces come from. */
type TraceEndpoint = 'traces' | 'pendingTraces' | 'transactions';

/** A request parameter: one value, or a list sent as a repeated parameter. */
export type TraceParameter = string | number | boolean | readonly string[] | undefined;

/**
 * The source of traces: this folder's only view of a network. Answers are the service's own JSON, unchanged: {@link
 * readTraces} reads it once.
 */
export interface TraceSource {
  request(
    endpoint: TraceEndpoint,
    parameters: Readonly<Record<string, TraceParameter>>,
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
}

interface CompleteOptions {
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
