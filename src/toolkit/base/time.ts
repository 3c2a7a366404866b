import { abortedError } from './errors';
import { numberWidths } from './numberWidths';

/** Time as a parameter, so that tests need no patching. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds on a monotonic clock. */
  monotonic(): number;
  /**
   * Calls `work` once, after `ms`, at most 24 days. Returns a function that cancels it.
   *
   * @param keepAlive whether it keeps the process alive; default true
   */
  readonly after: (ms: number, work: () => void, keepAlive?: boolean) => () => void;
  /** Resolves after `ms`, at most 24 days; rejects with `aborted` if the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, work, keepAlive = true) => {
    const timer = setTimeout(work, Math.min(ms, numberWidths.timerMs));
    if (!keepAlive) {
      timer.unref();
    }
    return () => clearTimeout(timer);
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortedError(signal.reason));
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(abortedError(signal?.reason));
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(ms, numberWidths.timerMs),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

/** Calls `work` each `ms`, without keeping the process alive. Returns a function that ends it. */
export function every(clock: Pick<Clock, 'after'>, ms: number, work: () => void): () => void {
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = clock.after(
      ms,
      () => {
        next();
        work();
      },
      false,
    );
  };
  next();
  return () => cancel();
}

/** Seconds; a year has 365 days. */
const durationUnits: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, y: 365 * 86_400 };

/** Seconds of a duration as people write it: `90` (seconds), `15m`, `6h`, `30d`, `1y`; undefined if it is none. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})\s*([smhdy])?$/.exec(text.trim());
  return match === null ? undefined : Number(match[1]) * (durationUnits[match[2] ?? 's'] ?? 1);
}
