import { WorkbenchError } from '../errors';
import { buildTrace } from './buildTrace';
import type { TraceSurroundings } from './buildTrace';
import { soundObject } from './sound';
import type { Shape } from './sound';
import { accountKey } from './traceKeys';
import type { TraceModel } from './traceModel';
import { addressBookShape, metadataShape } from './v3Shapes';
import type { V3Trace, V3TracesAnswer, V3Transaction } from './v3Trace';

/**
 * The traces of anything that holds some: an answer of `/traces`, `/pendingTraces`, `/events` or an emulation, a single
 * trace object, an answer of `/transactions` (put together by trace id), or a saved trace file.
 *
 * @throws WorkbenchError `trace-unreadable` when `value` is none of these.
 */
export function readTraces(value: unknown): TraceModel[] {
  const answer = answerOf(value);
  const surroundings = surroundingsOf(answer);
  return (answer.traces ?? [])
    .filter((trace): trace is V3Trace => trace !== null && typeof trace === 'object')
    .map((trace) => buildTrace(trace, surroundings));
}

/** The address book and metadata of an answer by account key. */
export function surroundingsOf(answer: V3TracesAnswer): Required<TraceSurroundings> {
  return {
    addressBook: byAccount(answer.address_book, addressBookShape),
    metadata: byAccount(answer.metadata, metadataShape),
  };
}

function byAccount<Row extends object>(
  rows: Record<string, Row | null> | null | undefined,
  shape: Shape,
): Map<string, Row> {
  const result = new Map<string, Row>();
  for (const [account, given] of Object.entries(isObject(rows) ? rows : {})) {
    const row = soundObject<Row>(given, shape);
    if (row !== undefined) {
      result.set(accountKey(account), row);
    }
  }
  return result;
}

/** Brings every accepted shape to the shape of a `/traces` answer. */
function answerOf(value: unknown): V3TracesAnswer {
  if (Array.isArray(value)) {
    return { traces: value as V3Trace[] };
  }
  if (!isObject(value)) {
    throw unreadable('It holds no JSON object.');
  }
  if (value.format === traceFileFormat && isObject(value.answer)) {
    return answerOf(value.answer);
  }
  const rest = value as V3TracesAnswer;
  if (Array.isArray(value.traces) || value.traces === null) {
    return rest;
  }
  if (Array.isArray(value.events)) {
    return { ...rest, traces: value.events as V3Trace[] };
  }
  if (Array.isArray(value.transactions)) {
    return { ...rest, traces: groupTransactions(value.transactions as V3Transaction[]) };
  }
  if (isObject(value.transactions) || 'trace_id' in value || isObject(value.trace)) {
    return { ...rest, traces: [value] };
  }
  throw unreadable('It has neither traces nor transactions.');
}

/** Mark of a saved trace file; see {@link saveTrace}. */
export const traceFileFormat = 'ton-workbench-trace';

/** Traces from loose transactions, for example the pages of a trace that is too large for `/traces`. */
function groupTransactions(transactions: readonly (V3Transaction | null)[]): V3Trace[] {
  const groups = new Map<string, Map<string, V3Transaction>>();
  transactions.forEach((transaction, position) => {
    if (transaction === null || typeof transaction !== 'object') {
      return;
    }
    const id = transaction.trace_id ?? '';
    const group = groups.get(id) ?? new Map<string, V3Transaction>();
    group.set(transaction.hash ?? `#${position}`, transaction);
    groups.set(id, group);
  });
  return [...groups].map(([id, group]) => ({
    ...(id === '' ? {} : { trace_id: id }),
    transactions: Object.fromEntries(group),
  }));
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
