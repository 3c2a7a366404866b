import { readTraces } from './readTraces';
import { hashIn } from './traceKeys';
import type { TraceModel } from './traceModel';
import type { TraceSource } from './traceSource';

/** Traces that an answer of the indexed API leads to. */
export type AnswerTraces =
  /** It holds them. */
  | { kind: 'held'; models: TraceModel[] }
  /** It names them, as actions do; lower-case hex. */
  | { kind: 'named'; traceIds: string[] }
  /** They ended in the masterchain block that it is about. */
  | { kind: 'block'; seqno: number };

/** Asked for at once; what is beyond is left out. */
const mostNamed = 100;

/** The traces that an answer leads to; undefined where it has to do with none. */
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

/** Fetches what {@link answerTraces} found, where the answer does not hold it itself. */
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
