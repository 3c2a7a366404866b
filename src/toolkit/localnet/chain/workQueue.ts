/** Runs one task at a time, in order. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();
  #isBusy = false;

  /** @param onDone called after each task, successful or not */
  constructor(private readonly onDone: () => void) {}

  /** Whether a task is running. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Resolves or rejects like the task, once all earlier ones are done. */
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

  /** Resolves once everything queued so far is done. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
