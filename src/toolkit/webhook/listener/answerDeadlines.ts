import type { Clock } from '../../time';

/** Milliseconds between checks for expired waits. */
const sweepMs = 100;

/**
 * The service gives up after 10 s, so an answer must not wait longer for a slow disk. One timer serves all requests:
 * a timer each would cost more than the rest of the answer.
 */
export class AnswerDeadlines<T extends { readonly startedAt: number }> {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #giveUp: (late: T) => void;
  readonly #waiting = new Set<T>();
  #cancelSweep: (() => void) | undefined;

  /** @param giveUp called once for each wait longer than `timeoutMs`, which then ends */
  constructor(clock: Clock, timeoutMs: number, giveUp: (late: T) => void) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#giveUp = giveUp;
  }

  /** @param waiting `startedAt` is the beginning of the wait, on the monotonic clock */
  add(waiting: T): void {
    this.#waiting.add(waiting);
    this.#cancelSweep ??= this.#clock.after(sweepMs, () => this.#sweep(), false);
  }

  /** False if it was given up or settled before. */
  settle(waiting: T): boolean {
    return this.#waiting.delete(waiting);
  }

  close(): void {
    this.#cancelSweep?.();
  }

  #sweep(): void {
    this.#cancelSweep = undefined;
    const limit = this.#clock.monotonic() - this.#timeoutMs;
    for (const one of this.#waiting) {
      if (one.startedAt <= limit && this.settle(one)) {
        this.#giveUp(one);
      }
    }
    if (this.#waiting.size > 0) {
      this.#cancelSweep = this.#clock.after(sweepMs, () => this.#sweep(), false);
    }
  }
}
