import type { Access } from '../access/createAccess';
import { traceSourceOf } from '../access/traceSourceOf';
import { toWorkbenchError } from '../errors';
import type { WorkbenchError } from '../errors';
import type { Clock } from '../time';
import type { FollowEvent } from '../trace/followEvents';
import { followTrace } from '../trace/followTrace';
import type { FollowTarget } from '../trace/readFollowTarget';
import { followInterval } from './followInterval';

/** What is followed where. */
export interface FollowUntilDoneParameters extends FollowTarget {
  access: Access;
  /** Ends following; an account is followed until then. */
  signal: AbortSignal;
  /** Milliseconds after which a hash that nobody has seen is given up; default two minutes. */
  patienceMs?: number | undefined;
  clock?: Clock | undefined;
}

/** What is told while something is followed, in order. */
export type FollowUntilDoneEvent =
  | { type: 'follow'; event: FollowEvent }
  /** The last event. */
  | {
      type: 'ended';
      /** The trace as it was last seen. */
      last: Extract<FollowEvent, { type: 'trace' }> | undefined;
      /** Hashes that nobody has seen in time. */
      unseen: readonly string[];
      /** A fault that asking again would not mend; being stopped is none. */
      error?: WorkbenchError;
    };

/** Follows messages until their traces are complete, or an account until the signal fires, at the pace of the network. */
export async function* followUntilDone({
  access,
  hashes,
  account,
  ...options
}: FollowUntilDoneParameters): AsyncGenerator<FollowUntilDoneEvent, void, undefined> {
  let last: Extract<FollowEvent, { type: 'trace' }> | undefined;
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
      if (event.type === 'unseen') {
        unseen.push(event.hash);
      }
      yield { type: 'follow', event };
    }
  } catch (thrown) {
    error = toWorkbenchError(thrown);
  }
  yield { type: 'ended', last, unseen, ...(error === undefined ? {} : { error }) };
}
