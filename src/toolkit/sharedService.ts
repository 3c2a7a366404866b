import { abortedError } from './errors';

/** The state of a service that is not running. */
export type SharedServiceState =
  { kind: 'stopped' } | { kind: 'starting' } | { kind: 'failed'; error: unknown };

export interface SharedServiceOptions<T> {
  /** Starts the service. If the signal fires, no caller is waiting any more. */
  start(signal: AbortSignal): Promise<T>;
  stop(running: T): Promise<void>;
  /** The service is starting, has stopped, or could not be started. */
  onState(state: SharedServiceState): void;
}

/** One start, with its waiting callers. */
interface Start<T> {
  running: Promise<T>;
  controller: AbortController;
  /** Whether `running` has resolved. */
  isUp: boolean;
  waiting: number;
}

/** A service started on first use, shared by all callers, and stopped once. */
export class SharedService<T> {
  readonly #options: SharedServiceOptions<T>;
  #current: Start<T> | undefined;
  /** The previous service has ended: two at a time would compete for port and state. */
  #gone: Promise<void> = Promise.resolve();

  constructor(options: SharedServiceOptions<T>) {
    this.#options = options;
  }

  /** Whether it is running or starting. */
  get isStarted(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Starts the service unless it is running; concurrent callers share one start. If all of them cancel, the start is
   * canceled, and a service that still comes up is stopped.
   * @throws WorkbenchError `aborted`, and the errors of the start
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

  /** Stops the service; a start in progress is canceled. Resolves once the service has ended. */
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

  /** The service ended on its own: the next use restarts it. */
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

/** The result of shared work, or `aborted` as soon as this caller cancels; the work continues for the others. */
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
