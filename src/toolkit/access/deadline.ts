import { WorkbenchError, abortedError } from '../errors';

/**
 * Runs `run` with a signal that fires when `outer` does or after `ms`, with the reason that `onTimeout` makes.
 * Unlike AbortSignal.any with AbortSignal.timeout it leaves neither timer nor listener behind when `run` ends.
 */
export async function withDeadline<Result>(
  ms: number,
  outer: AbortSignal | undefined,
  onTimeout: () => Error,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(abortReason(outer));
  if (outer?.aborted) {
    throw abortReason(outer);
  }
  const timer = setTimeout(() => controller.abort(onTimeout()), ms);
  outer?.addEventListener('abort', onAbort, { once: true });
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}

/** The error a fired signal stands for: its reason if that is one of ours, else `aborted`. */
export function abortReason(signal: AbortSignal | undefined): WorkbenchError {
  const reason: unknown = signal?.reason;
  return reason instanceof WorkbenchError ? reason : abortedError(reason);
}
