import { WorkbenchError, abortedError } from '../errors';
import type { Clock } from '../time';
import { systemClock } from '../time';

/**
 * Runs `work`, and aborts `controller` with what `reason` makes if that takes longer than `ms`.
 * One controller serves the caller's signal and all deadlines of a call: AbortSignal.any and AbortSignal.timeout would make
 * three signals for each request, and leave their timers behind.
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

/** The error a fired signal stands for: its reason if that is one of ours, else `aborted`. */
export function abortReason(signal: AbortSignal | undefined): WorkbenchError {
  const reason: unknown = signal?.reason;
  return reason instanceof WorkbenchError ? reason : abortedError(reason);
}
