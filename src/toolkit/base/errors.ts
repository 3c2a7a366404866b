import type { ErrorCode } from './errorCodes';

/**
 * The exit status of the command line for an error: `failed` 1 (the operation failed), `input` 2, `network` 3 (no
 * complete answer), `service` 4 (refused, or an unusable answer). `internal` is our own bug and also exits with 1.
 */
export type ErrorKind = 'failed' | 'input' | 'network' | 'service' | 'internal';

/** The parts of a {@link WorkbenchError}. */
export interface WorkbenchErrorParameters {
  /** Stable, kebab-case; tests and callers compare this, never the text. */
  code: ErrorCode;
  kind: ErrorKind;
  /** One sentence for people: what happened. */
  message: string;
  /** One sentence for people: what to do next. */
  hint?: string | undefined;
  /** Facts for logs and documents, without secrets. */
  details?: Readonly<Record<string, unknown>> | undefined;
  cause?: unknown;
}

/** The product's only error class. Instances come from small factories next to where errors arise. */
export class WorkbenchError extends Error {
  override readonly name = 'WorkbenchError';
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(parameters: WorkbenchErrorParameters) {
    super(parameters.message, parameters.cause === undefined ? undefined : { cause: parameters.cause });
    this.code = parameters.code;
    this.kind = parameters.kind;
    this.hint = parameters.hint;
    this.details = parameters.details ?? {};
  }

  /** Whether `error` is ours and, with `code`, has this code. */
  static is(error: unknown, code?: ErrorCode): error is WorkbenchError {
    return error instanceof WorkbenchError && (code === undefined || error.code === code);
  }
}

/** An error in one text: what happened, then what to do next, if that is known. */
export function errorSentences({ message, hint }: Pick<WorkbenchError, 'message' | 'hint'>): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

/** Converts any thrown value to a WorkbenchError; foreign errors become `internal-error`. */
export function toWorkbenchError(error: unknown): WorkbenchError {
  if (error instanceof WorkbenchError) {
    return error;
  }
  if (error instanceof RangeError && error.message.startsWith('Maximum call stack')) {
    return tooDeepError(error);
  }
  return new WorkbenchError({
    code: 'internal-error',
    kind: 'internal',
    message: error instanceof Error ? error.message : String(error),
    hint: 'This is a bug in TON Workbench; the log has the details.',
    cause: error,
  });
}

/** Statuses of proxies, and of services that are busy or restarting. */
const passingCodes: ReadonlySet<ErrorCode> = new Set([
  'rate-limited',
  'service-failure',
  'not-json',
  'cut-json',
]);

/** Whether the same request may succeed a little later: no connection, too many requests, a failing service. */
export function isPassing({ kind, code }: WorkbenchError): boolean {
  return code !== 'aborted' && (kind === 'network' || (kind === 'service' && passingCodes.has(code)));
}

/** `too-deep`: the input is nested deeper than this program supports. */
function tooDeepError(cause: RangeError): WorkbenchError {
  return new WorkbenchError({
    code: 'too-deep',
    kind: 'input',
    message: 'This is nested too deeply to read.',
    hint: 'Values, brackets, and cells can be nested a few hundred levels deep.',
    cause,
  });
}

/** The work was canceled by its AbortSignal. */
export function abortedError(cause?: unknown): WorkbenchError {
  return new WorkbenchError({ code: 'aborted', kind: 'network', message: 'Canceled.', cause });
}

/**
 * Refuses a file that a later TON Workbench has written. One without a version is of version 1.
 *
 * @param what the file, as a sentence begins: `This saved replay`
 * @param value what is in it, with a field `version`
 * @param known the newest version that is read
 * @throws WorkbenchError `format-newer` (input)
 */
export function checkVersion(what: string, value: unknown, known: number): void {
  const { version = 1 } = (value ?? {}) as { version?: unknown };
  if (typeof version === 'number' && version > known) {
    throw new WorkbenchError({
      code: 'format-newer',
      kind: 'input',
      message: `${what} has format version ${version}; this version of TON Workbench reads ${known}.`,
      hint: 'Update TON Workbench.',
    });
  }
}

/** The state of a service that is not running. */
export type SharedServiceState =
  { kind: 'stopped' } | { kind: 'starting' } | { kind: 'failed'; error: unknown };

interface SharedServiceOptions<T> {
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

/**
 * The result of shared work, or `aborted` as soon as this caller cancels; the work continues for the others.
 *
 * @throws WorkbenchError `aborted`; what the work throws
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let cancel: (() => void) | undefined;
  const canceled = new Promise<never>((_, reject) => {
    cancel = () => reject(abortedError(signal.reason));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) {
      cancel();
    }
  });
  try {
    return await Promise.race([work, canceled]);
  } finally {
    signal.removeEventListener('abort', cancel!);
  }
}

/** `text` without trailing `characters`. A regular expression would be quadratic. A window starts with this, and not with text.ts. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end);
}
