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

  /** What `work` came to, or undefined when it failed or is late; never rejects. */
  race(work: Promise<string>, startedAt: number): Promise<string | undefined> {
    return new Promise((resolve) => {
      const waiting = { at: startedAt + this.#timeoutMs, giveUp: () => resolve(undefined) };
      this.#waiting.add(waiting);
      work
        .then(resolve, () => resolve(undefined))
        .finally(() => this.#waiting.delete(waiting))
        .catch(() => undefined);
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
