import type { Clock } from '../../src/toolkit/base/time';
import { systemClock } from '../../src/toolkit/base/time';

/**
 * A clock on which sleeping takes no time: it goes ahead by what is slept, and notes it. Deadlines (`after`) are the
 * machine's, because sockets and other threads answer in real time.
 */
export class HastyClock implements Clock {
  /** Milliseconds of each sleep, in order. */
  readonly slept: number[] = [];
  #ahead = 0;

  now = (): number => systemClock.now() + this.#ahead;
  monotonic = (): number => systemClock.monotonic() + this.#ahead;
  after = systemClock.after;

  sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    this.slept.push(ms);
    this.#ahead += ms;
    return systemClock.sleep(0, signal);
  };
}
