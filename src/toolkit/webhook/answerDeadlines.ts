import type { Clock } from '../time';

interface Waiting {
  /** On the monotonic clock. */
  at: number;
  giveUp: () => void;
}

/**
 * The service gives up after 10 s, so an answer must not wait longer than that for a slow disk. One timer for all
 * requests: a timer each would cost more than the rest of the answer.
 */
export class AnswerDeadlines {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #waiting = new Set<Waiting>();
  readonly #sweep: NodeJS.Timeout;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#sweep = setInterval(() => this.#giveUpLate(), 100).unref();
  }

  /** Whether `work` was done in time; never rejects. */
  race(work: Promise<void>, startedAt: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = { at: startedAt + this.#timeoutMs, giveUp: () => resolve(false) };
      this.#waiting.add(waiting);
      const settle = (done: boolean): void => {
        this.#waiting.delete(waiting);
        resolve(done);
      };
      work.then(
        () => settle(true),
        () => settle(false),
      );
    });
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  #giveUpLate(): void {
    const now = this.#clock.monotonic();
    for (const waiting of this.#waiting) {
      if (waiting.at <= now) {
        waiting.giveUp();
      }
    }
  }
}
