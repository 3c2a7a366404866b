import { WorkbenchError, abortedError } from '../errors';
import type { Clock } from '../time';
import { systemClock } from '../time';

/**
 * Runs `work`, and aborts `controller` with the error from `reason` if that takes longer than `ms`. One controller
 * serves the caller's signal and all deadlines of a call: AbortSignal.any and AbortSignal.timeout would create three
 * signals per request and leave their timers behind.
 */
export async function withDeadline<Result>(
  controller: AbortController,
  ms: number,
  reason: () => WorkbenchError,
  work: () => Promise<Result>,
  clock: Clock = systemClock,
): Promise<Result> {
  const cancel = clock.after(ms, () => controller.abort(reason()));
  try {
    return await work();
  } finally {
    cancel();
  }
}

/** The error of a fired signal: its reason if that is one of ours, else `aborted`. */
export function abortReason(signal: AbortSignal | undefined): WorkbenchError {
  const reason: unknown = signal?.reason;
  return reason instanceof WorkbenchError ? reason : abortedError(reason);
}
