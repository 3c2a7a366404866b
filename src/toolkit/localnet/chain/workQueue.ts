/** Runs one piece of work at a time, in the order in which they were given. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();
  #isBusy = false;

  /** @param onDone called after each piece of work, successful or not */
  constructor(private readonly onDone: () => void) {}

  /** Whether a piece of work is running. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Resolves or rejects as the work does, once everything given before is done. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      this.#isBusy = true;
      try {
        return await work();
      } finally {
        this.#isBusy = false;
        this.onDone();
      }
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything given so far is done. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
