import { answerReader } from '../api/answerReader';
import { v3TraceList } from '../api/v3Traces';
import type { V3TraceList } from '../api/v3Traces';
import { WorkbenchError } from '../errors';
import { buildTrace } from './buildTrace';
import type { TraceSurroundings } from './buildTrace';
import type { TraceModel } from './traceModel';

/**
 * The traces in any accepted data: an answer of `/traces`, `/pendingTraces`, `/events` or an emulation, a single
 * trace object, an answer of `/transactions` or transactions alone (grouped by trace id), or a saved trace file. `value` is JSON as a
 * service sends it; it is converted in place and must not be used afterward.
 *
 * @param options `isPending` if the traces come from a list of pending ones
 * @throws WorkbenchError `trace-unreadable` if `value` is none of these
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
