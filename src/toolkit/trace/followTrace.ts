import { isPassing, toWorkbenchError } from '../errors';
import { systemClock } from '../time';
import type { FollowEvent, FollowParameters } from './followEvents';
import { TraceFollower } from './traceFollower';
import type { TraceSource } from './traceSource';

const longestRetryMs = 30_000;
/** After a slow answer, wait this multiple of its duration: polling must not overload the service. */
const restPerWork = 3;

/**
 * Follows messages or an account from "sent" through pending to complete. Ends when every hash is complete, gone or
 * unseen; an account is followed until the signal fires. Transient errors (no connection, too many requests, a
 * failing service) do not end it, but the time limit of hashes still applies.
 *
 * Given both an account and hashes, the service silently ignores one filter, so these are two merged requests: no
 * trace is reported twice, or again without changes.
 *
 * @throws WorkbenchError permanent errors: invalid input, a rejection such as `unauthorized`, an answer of the wrong
 *   shape
 */
export async function* followTrace(
  source: TraceSource,
  parameters: FollowParameters,
): AsyncGenerator<FollowEvent, void, undefined> {
  const { signal, intervalMs = 2000, clock = systemClock } = parameters;
  const follower = new TraceFollower(source, parameters, clock);
  for (const hash of follower.openHashes()) {
    yield { type: 'waiting', hash };
  }
  for (let failures = 0; ;) {
    let pause = intervalMs;
    const began = clock.monotonic();
    try {
      const events = await follower.round();
      pause = Math.max(pause, restPerWork * (clock.monotonic() - began));
      yield* events;
      failures = 0;
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      if (signal?.aborted === true || error.code === 'aborted') {
        return;
      }
      if (!isPassing(error)) {
        throw error;
      }
      failures++;
      pause = Math.min(intervalMs * 2 ** failures, longestRetryMs);
      yield { type: 'error', error, failures, retryInMs: pause };
      yield* follower.loseUnseen(error);
    }
    if (follower.isDone()) {
      return;
    }
    try {
      await clock.sleep(pause, signal);
    } catch {
      return;
    }
  }
}
