import type { Clock } from '../../time';

/** Somebody who waits for an answer. */
export interface Awaited {
  /** When the wait began, on the monotonic clock. */
  readonly startedAt: number;
  /** Neighbours in the list; ours to set. */
  before?: Awaited | undefined;
  after?: Awaited | undefined;
  isWaiting?: boolean;
}

/**
 * The service gives up after 10 s, so an answer must not wait longer than that for a slow disk. One timer for all
 * requests: a timer each would cost more than the rest of the answer.
 *
 * A linked list and not a Set: the outgrown tables of a busy Set point to one another and drag everything they ever held
 * into the old generation of the heap, which halves what the listener can take.
 */
export class AnswerDeadlines<T extends Awaited> {
  readonly #sweep: NodeJS.Timeout;
  readonly #ends: Awaited = { startedAt: 0 };

  /** @param giveUp called once for each that waits longer than `timeoutMs`; it is no longer waited for */
  constructor(clock: Clock, timeoutMs: number, giveUp: (late: T) => void) {
    this.#ends.before = this.#ends;
    this.#ends.after = this.#ends;
    this.#sweep = setInterval(() => {
      const limit = clock.monotonic() - timeoutMs;
      for (let one = this.#ends.after; one !== undefined && one !== this.#ends;) {
        const { after } = one;
        if (one.startedAt <= limit && this.settle(one as T)) {
          giveUp(one as T);
        }
        one = after;
      }
    }, 100).unref();
  }

  add(waiting: T): void {
    const last = this.#ends.before ?? this.#ends;
    waiting.before = last;
    waiting.after = this.#ends;
    waiting.isWaiting = true;
    last.after = waiting;
    this.#ends.before = waiting;
  }

  /** False when it was given up, or settled, before. */
  settle(waiting: T): boolean {
    if (waiting.isWaiting !== true) {
      return false;
    }
    const { before, after } = waiting;
    if (before !== undefined && after !== undefined) {
      before.after = after;
      after.before = before;
    }
    waiting.before = undefined;
    waiting.after = undefined;
    waiting.isWaiting = false;
    return true;
  }

  close(): void {
    clearInterval(this.#sweep);
  }
}
