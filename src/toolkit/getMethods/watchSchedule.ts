/** Milliseconds; blocks come in bursts, and only the last one counts. */
const debounceMs = 150;
/** Except on the local network: minimum interval per call, and at most half the rate limit for all of them. */
const shortestMs = 5_000;
const publicPerSecond = 0.5;

export interface WatchScheduleOptions<T> {
  /** Runs a call. Runs of one call never overlap; a failure does not end the watch. */
  run: (watch: T) => Promise<void>;
  /** Whether the call goes to the local network. */
  isLocal: (watch: T) => boolean;
  onError: (watch: T, error: unknown) => void;
  /** Calls `work` after `ms`; returns what cancels it. */
  after: (ms: number, work: () => void) => () => void;
}

/** When watched calls run again: after each block of the local network, elsewhere at an interval. */
export class WatchSchedule<T> {
  readonly #options: WatchScheduleOptions<T>;
  readonly #after: (ms: number, work: () => void) => () => void;
  readonly #running = new Set<T>();
  /** Requested while they ran: run once more. */
  readonly #due = new Set<T>();
  readonly #waits = new Map<'block' | 'interval', () => void>();
  #watches: readonly T[] = [];

  constructor(options: WatchScheduleOptions<T>) {
    this.#options = options;
    this.#after = options.after;
  }

  get watches(): readonly T[] {
    return this.#watches;
  }

  /** Watches a call, and runs it now. */
  add(watch: T): void {
    this.#watches = [...this.#watches, watch];
    this.#waitForInterval();
    void this.#run(watch);
  }

  /** Keeps only these watches. */
  keep(isKept: (watch: T) => boolean): void {
    this.#watches = this.#watches.filter(isKept);
    if (this.#local().length === 0) {
      this.#cancel('block');
    }
    if (this.#others().length === 0) {
      this.#cancel('interval');
    }
  }

  /** The local network made a block. */
  blockMade(): void {
    if (this.#local().length > 0 && !this.#waits.has('block')) {
      this.#wait('block', debounceMs, () => this.#local().forEach((watch) => void this.#run(watch)));
    }
  }

  #local(): readonly T[] {
    return this.#watches.filter((watch) => this.#options.isLocal(watch));
  }

  #others(): readonly T[] {
    return this.#watches.filter((watch) => !this.#options.isLocal(watch));
  }

  #waitForInterval(): void {
    const { length } = this.#others();
    if (length > 0 && !this.#waits.has('interval')) {
      this.#wait('interval', Math.max(shortestMs, (length / publicPerSecond) * 1000), () => {
        void Promise.all(this.#others().map((watch) => this.#run(watch))).then(() => this.#waitForInterval());
      });
    }
  }

  #wait(name: 'block' | 'interval', ms: number, work: () => void): void {
    const cancel = this.#after(ms, () => {
      this.#waits.delete(name);
      work();
    });
    this.#waits.set(name, cancel);
  }

  #cancel(name: 'block' | 'interval'): void {
    this.#waits.get(name)?.();
    this.#waits.delete(name);
  }

  async #run(watch: T): Promise<void> {
    if (this.#running.has(watch)) {
      this.#due.add(watch);
      return;
    }
    this.#running.add(watch);
    do {
      this.#due.delete(watch);
      try {
        await this.#options.run(watch);
      } catch (error) {
        this.#options.onError(watch, error);
      }
    } while (this.#due.has(watch) && this.#watches.includes(watch));
    this.#running.delete(watch);
  }
}
