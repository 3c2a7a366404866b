import type { Access } from '../access/createAccess';
import type { Network } from '../access/network';
import { traceSourceOf } from '../access/traceSourceOf';
import type { WorkbenchError } from '../base/errors';
import { toWorkbenchError } from '../base/errors';
import type { Clock } from '../base/time';
import { followTrace } from '../trace/followTrace';
import type { FollowEvent, FollowTarget } from '../trace/readFollowTarget';
import type { TraceModel } from '../trace/traceModel';

/** What to follow, and where. */
export interface FollowUntilDoneParameters extends FollowTarget {
  access: Access;
  /** Ends following; an account is followed until then. */
  signal: AbortSignal;
  /** Milliseconds after which an unseen hash is given up; default two minutes. */
  patienceMs?: number | undefined;
  clock?: Clock | undefined;
}

/** The events of following, in order. */
export type FollowUntilDoneEvent =
  | { type: 'follow'; event: FollowEvent }
  /** The last event. */
  | {
      type: 'ended';
      /** The trace as last seen; undefined if it has disappeared. */
      last: Extract<FollowEvent, { type: 'trace' }> | undefined;
      /** Pending traces that have disappeared: their messages were dropped, or replaced by others. */
      gone: readonly TraceModel[];
      /** Hashes not seen in time. */
      unseen: readonly string[];
      /** A permanent error; being stopped is not one. */
      error?: WorkbenchError;
    };

/**
 * Follows messages until their traces are complete, or an account until the signal fires, at a rate suited to the
 * network.
 */
export async function* followUntilDone({
  access,
  hashes,
  account,
  ...options
}: FollowUntilDoneParameters): AsyncGenerator<FollowUntilDoneEvent, void, undefined> {
  let last: Extract<FollowEvent, { type: 'trace' }> | undefined;
  const gone: TraceModel[] = [];
  const unseen: string[] = [];
  let error: WorkbenchError | undefined;
  const intervalMs = followInterval(access.network);
  try {
    for await (const event of followTrace(traceSourceOf(access), {
      hashes,
      account,
      intervalMs,
      ...options,
    })) {
      last = event.type === 'trace' ? event : last;
      if (event.type === 'gone') {
        gone.push(event.model);
        last = last?.key === event.key ? undefined : last;
      }
      if (event.type === 'unseen') {
        unseen.push(event.hash);
      }
      yield { type: 'follow', event };
    }
  } catch (thrown) {
    error = toWorkbenchError(thrown);
  }
  yield { type: 'ended', last, gone, unseen, ...(error === undefined ? {} : { error }) };
}

/** Milliseconds between polling rounds: a local network answers at once, the public ones have rate limits. */
const intervals = { local: 200, remote: 2000 };

/** The wait between polling rounds, in milliseconds. */
export function followInterval({ kind }: Pick<Network, 'kind'>): number {
  return kind === 'local' ? intervals.local : intervals.remote;
}
