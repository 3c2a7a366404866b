import { WorkbenchError, abortedError } from '../errors';

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
): Promise<Result> {
  const timer = setTimeout(() => controller.abort(reason()), ms);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/** The error a fired signal stands for: its reason if that is one of ours, else `aborted`. */
export function abortReason(signal: AbortSignal | undefined): WorkbenchError {
  const reason: unknown = signal?.reason;
  return reason instanceof WorkbenchError ? reason : abortedError(reason);
}
