import { readTraces } from './readTraces';
import { hashIn } from './traceKeys';
import type { TraceModel } from './traceModel';
import type { TraceSource } from './traceSource';

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
