import type { Clock } from '../../src/toolkit/base/time';

/** A clock that stands still until it is advanced; what is due by then runs in its order. */
export class SteppedClock implements Clock {
  #now = 1_800_000_000_000;
  #timers: { at: number; work: () => void }[] = [];

  now = (): number => this.#now;
  monotonic = (): number => this.#now;

  after = (ms: number, work: () => void): (() => void) => {
    const timer = { at: this.#now + ms, work };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      this.after(ms, resolve);
    });

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) {
        this.#now = end;
        return;
      }
      this.#now = next.at;
      this.#timers = this.#timers.filter((one) => one !== next);
      next.work();
    }
  }
}
