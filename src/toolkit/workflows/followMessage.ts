import type { Access } from '../access/createAccess';
import { WorkbenchError } from '../errors';
import { droppedError, missingRoot, whyDropped } from '../send/whyDropped';
import type { MissingMessage } from '../send/whyDropped';
import { systemClock } from '../time';
import type { Clock } from '../time';
import type { FollowEvent } from '../trace/followEvents';
import type { TraceModel } from '../trace/traceModel';
import { followInterval } from './followInterval';
import { followUntilDone } from './followUntilDone';

/** What to follow, and where. */
export interface FollowMessageParameters {
  access: Access;
  message: MissingMessage;
  signal: AbortSignal;
  /** Milliseconds after which a message that nobody has seen is given up; default two minutes. */
  patienceMs?: number | undefined;
  clock?: Clock | undefined;
}

/** The events of following a message, in order. */
export type FollowMessageEvent =
  | { type: 'follow'; event: FollowEvent }
  /** The last event. */
  | {
      type: 'ended';
      /** The trace as last seen; undefined if the message was dropped or never seen. */
      last: Extract<FollowEvent, { type: 'trace' }> | undefined;
      /** Why there is no complete trace: never undefined without one, unless the signal fired. */
      error?: WorkbenchError;
    };

/** Polling rounds between two looks whether a message that nobody sees can still come. */
const roundsPerLook = 5;

/**
 * Follows one message to the end of its trace, or until it is certain that there will be none: a pending trace that
 * disappears is no outcome, and a message whose seqno is used, or whose time is over, is not waited for.
 */
export async function* followMessage({
  access,
  message,
  signal,
  patienceMs,
  clock = systemClock,
}: FollowMessageParameters): AsyncGenerator<FollowMessageEvent, void, undefined> {
  const { hash } = message;
  const since = clock.now() / 1000;
  const why = (ends: AbortSignal): Promise<WorkbenchError | undefined> =>
    // A network that cannot tell now may tell later.
    whyDropped(access, message, { signal: ends, clock, since }).catch(() => undefined);
  const found = new AbortController();
  const ends = new AbortController();
  const following = AbortSignal.any([signal, ends.signal]);
  const looking = lookWhileUnseen(access, clock, AbortSignal.any([following, found.signal]), why);
  let dropped: WorkbenchError | undefined;
  void looking.then((error) => {
    dropped = error;
    if (error !== undefined) {
      ends.abort();
    }
  });
  try {
    for await (const told of followUntilDone({
      ...{ access, hashes: [hash], signal: following, clock },
      ...(patienceMs === undefined ? {} : { patienceMs }),
    })) {
      if (told.type === 'follow') {
        if (told.event.type === 'trace') {
          found.abort();
        }
        yield told;
        continue;
      }
      const { last, unseen, gone } = told;
      const isLost = gone.length > 0 || unseen.length > 0;
      const error =
        told.error ??
        dropped ??
        (isLost && !signal.aborted
          ? ((await why(signal)) ?? (gone.length > 0 ? droppedError(hash) : unseenError(hash)))
          : undefined);
      yield {
        type: 'ended',
        last: dropped === undefined ? last : undefined,
        ...(error === undefined ? {} : { error }),
      };
    }
  } finally {
    ends.abort();
  }
}

/** Why a pending trace that was followed has disappeared. */
export async function goneError(
  access: Access,
  model: TraceModel,
  { signal, clock = systemClock }: { signal?: AbortSignal | undefined; clock?: Clock | undefined } = {},
): Promise<WorkbenchError> {
  const message = missingRoot(model);
  const since = clock.now() / 1000;
  const known =
    message === undefined
      ? undefined
      : await whyDropped(access, message, { signal, clock, since }).catch(() => undefined);
  return known ?? droppedError(message?.hash ?? model.id ?? 'of the trace');
}

/** Resolves to the reason once the message cannot come any more; to undefined when `signal` fires. */
async function lookWhileUnseen(
  access: Access,
  clock: Clock,
  signal: AbortSignal,
  why: (signal: AbortSignal) => Promise<WorkbenchError | undefined>,
): Promise<WorkbenchError | undefined> {
  for (;;) {
    try {
      await clock.sleep(roundsPerLook * followInterval(access.network), signal);
    } catch {
      return undefined;
    }
    const error = await why(signal);
    if (error !== undefined && !signal.aborted) {
      return error;
    }
  }
}

/** `trace-not-found` (failed): nobody has seen the message in time. */
export function unseenError(hash: string): WorkbenchError {
  return new WorkbenchError({
    code: 'trace-not-found',
    kind: 'failed',
    message: `The message ${hash} was not seen; it was probably not accepted.`,
    hint: 'Check the network, and whether the message has expired.',
  });
}
