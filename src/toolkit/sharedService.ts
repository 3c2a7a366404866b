import { abortedError } from './errors';

/** How a service stands while it does not run. */
export type SharedServiceState =
  { kind: 'stopped' } | { kind: 'starting' } | { kind: 'failed'; error: unknown };

export interface SharedServiceOptions<T> {
  /** Starts the service. When the signal fires, nobody waits for it any more. */
  start(signal: AbortSignal): Promise<T>;
  stop(running: T): Promise<void>;
  /** The service is being started, has stopped, or could not be started. */
  onState(state: SharedServiceState): void;
}

/** One start, with those who wait for it. */
interface Start<T> {
  running: Promise<T>;
  controller: AbortController;
  /** Whether `running` has resolved. */
  isUp: boolean;
  waiting: number;
}

/** A service that is started on first use, shared by all who need it, and stopped once. */
export class SharedService<T> {
  readonly #options: SharedServiceOptions<T>;
  #current: Start<T> | undefined;
  /** The service before this one has gone: two at a time would compete for its port and its state. */
  #gone: Promise<void> = Promise.resolve();

  constructor(options: SharedServiceOptions<T>) {
    this.#options = options;
  }

  /** Whether it runs or is being started. */
  get isStarted(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Starts the service unless it runs; callers at the same time share one start. When all of them have canceled, the
   * start is canceled and what it may still bring up is stopped.
   * @throws WorkbenchError `aborted`, and whatever the start throws
   */
  async ensureRunning(signal?: AbortSignal): Promise<T> {
    if (isAborted(signal)) {
      throw abortedError(signal?.reason);
    }
    const start = (this.#current ??= this.#begin());
    start.waiting += 1;
    try {
      return await (signal === undefined ? start.running : unlessAborted(start.running, signal));
    } finally {
      start.waiting -= 1;
      if (isAborted(signal) && !start.isUp && start.waiting === 0 && this.#current === start) {
        void this.stop();
      }
    }
  }

  /** Stops the service; a start that is under way is canceled. Resolves when the service has gone. */
  async stop(): Promise<void> {
    const start = this.#current;
    this.#current = undefined;
    if (start !== undefined) {
      start.controller.abort();
      this.#gone = this.#end(start);
    }
    await this.#gone;
    if (this.#current === undefined) {
      this.#options.onState({ kind: 'stopped' });
    }
  }

  /** The service has ended by itself: the next use starts it again. */
  lost(): void {
    this.#current = undefined;
  }

  #begin(): Start<T> {
    const controller = new AbortController();
    const running = this.#gone.then(() => {
      controller.signal.throwIfAborted();
      this.#options.onState({ kind: 'starting' });
      return this.#options.start(controller.signal);
    });
    const start: Start<T> = { running, controller, isUp: false, waiting: 0 };
    running.then(
      () => (start.isUp = true),
      (error: unknown) => {
        if (this.#current === start) {
          this.#current = undefined;
          this.#options.onState({ kind: 'failed', error });
        }
      },
    );
    return start;
  }

  async #end({ running }: Start<T>): Promise<void> {
    const up = await running.catch(() => undefined);
    if (up !== undefined) {
      await this.#options.stop(up);
    }
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** The result of shared work, or `aborted` as soon as this caller cancels; the work goes on for the others. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let cancel: (() => void) | undefined;
  const canceled = new Promise<never>((_, reject) => {
    cancel = () => reject(abortedError(signal.reason));
    signal.addEventListener('abort', cancel, { once: true });
  });
  try {
    return await Promise.race([work, canceled]);
  } finally {
    signal.removeEventListener('abort', cancel!);
  }
}
