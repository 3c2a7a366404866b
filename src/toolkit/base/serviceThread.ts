import type { Worker } from 'node:worker_threads';
import type { WorkbenchErrorParameters } from './errors';
import { WorkbenchError, toWorkbenchError } from './errors';
import type { Log, LogLevel } from './log';
import { Listeners } from './numberWidths';

/** What every worker with a service posts; `Started` is told once it is up. */
export type ServiceMessage<Started> =
  | ({ type: 'started' } & Started)
  | { type: 'failed'; error: PlainError }
  | { type: 'log'; level: LogLevel; line: string }
  | RemoteResult;

/** What the service has that others have not. */
export interface ServiceThreadOptions<Started, Own> {
  log: Log;
  /** The error of calls once the thread has ended. */
  stoppedError: (cause?: unknown) => WorkbenchError;
  /** Called before any message of its own. */
  onStarted?: (started: Started) => void;
  /** Its own messages. */
  onMessage: (message: Own) => void;
  /** Called once the thread is to end, or has ended. */
  onEnd?: () => void;
}

/**
 * A service in a worker thread, as seen by the thread that started it. `Control` is what can be asked of the service;
 * its `close` lets go of everything that it holds.
 */
export class ServiceThread<Control extends { close(): unknown }, Started, Own extends { type: string }> {
  /** Rejects with the service's error if it cannot start. */
  readonly started: Promise<Started>;
  readonly control: RemoteCalls<Control>;
  /** Told once if the thread ends unexpectedly. */
  readonly stopped = new Listeners<WorkbenchError>();
  readonly #worker: Worker;
  readonly #options: ServiceThreadOptions<Started, Own>;
  #closing: Promise<void> | undefined;
  #hasEnded = false;

  constructor(worker: Worker, options: ServiceThreadOptions<Started, Own>) {
    this.#worker = worker;
    this.#options = options;
    this.control = new RemoteCalls((call) => this.post(call));
    this.started = new Promise((resolve, reject) => {
      worker.on('message', (message: ServiceMessage<Started> | Own) => {
        if (message.type === 'started') {
          options.onStarted?.(message as Started);
          resolve(message as Started);
        } else if (message.type === 'failed') {
          reject(new WorkbenchError((message as { error: PlainError }).error));
          void worker.terminate();
        } else {
          this.#receive(message);
        }
      });
      worker.on('error', (error) => this.#end(options.stoppedError(error), reject));
      worker.on('exit', () => this.#end(options.stoppedError(), reject));
    });
  }

  post(message: RemoteCall | RemoteResult): void {
    this.#worker.postMessage(message);
  }

  /** Closes the service, and ends its thread. */
  close(): Promise<void> {
    this.#closing ??= (this.control as RemoteCalls<{ close(): unknown }>)
      .call('close')
      .catch(() => undefined)
      .then(async () => {
        this.#options.onEnd?.();
        await this.#worker.terminate();
      });
    return this.#closing;
  }

  #receive(message: ServiceMessage<Started> | Own): void {
    switch (message.type) {
      case 'log': {
        const { level, line } = message as { level: LogLevel; line: string };
        this.#options.log[level](line);
        return;
      }
      case 'result':
      case 'refused':
        this.control.receive(message as RemoteResult);
        return;
      default:
        this.#options.onMessage(message as Own);
    }
  }

  #end(error: WorkbenchError, rejectStart: (error: Error) => void): void {
    if (this.#hasEnded) {
      return;
    }
    this.#hasEnded = true;
    rejectStart(error);
    this.control.end(error);
    this.#options.onEnd?.();
    if (this.#closing === undefined) {
      this.stopped.tell(error);
    }
  }
}

/**
 * The location of a built worker: at the top of the dist folder from which the calling file runs (extension, command
 * line, chunks, tests), else next to that file.
 *
 * @param name without `.js`
 * @param from the calling file's `import.meta.url`
 */
export function builtWorker(name: string, from: string): URL {
  const place = from.lastIndexOf('/dist/');
  return new URL(`${name}.js`, place < 0 ? from : from.slice(0, place + '/dist/'.length));
}

/** The method names of an interface; its other members cannot be called across threads. */
type MethodOf<Face> = {
  [Name in keyof Face]: Face[Name] extends (...parameters: never[]) => unknown ? Name : never;
}[keyof Face] &
  string;

/** A call, sent to the side with the object. */
export interface RemoteCall {
  type: 'call';
  id: number;
  method: string;
  parameters: unknown[];
}

/** The outcome of a call. */
export type RemoteResult =
  { type: 'result'; id: number; value: unknown } | { type: 'refused'; id: number; error: PlainError };

type ParametersOf<Member> = Member extends (...parameters: infer All) => unknown ? All : never;
type ResultOf<Member> = Member extends (...parameters: never[]) => infer Value ? Awaited<Value> : never;

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: WorkbenchError) => void;
}

/** The caller's end of a connection to another thread: calls methods of `Face` there. */
export class RemoteCalls<Face> {
  readonly #pending = new Map<number, Pending>();
  #count = 0;
  #ended: WorkbenchError | undefined;

  /** @param post sends a call to the other thread */
  constructor(private readonly post: (call: RemoteCall) => void) {}

  /** Whether no call is waiting for its result. */
  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** Rejects with the method's error, or with the error passed to {@link end}. */
  call<Name extends MethodOf<Face>>(
    method: Name,
    ...parameters: ParametersOf<Face[Name]>
  ): Promise<ResultOf<Face[Name]>> {
    if (this.#ended !== undefined) {
      return Promise.reject(this.#ended);
    }
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.post({ type: 'call', id, method, parameters });
    });
  }

  /** Settles the call of a result. */
  receive(result: RemoteResult): void {
    const pending = this.#pending.get(result.id);
    this.#pending.delete(result.id);
    if (result.type === 'result') {
      pending?.resolve(result.value);
    } else {
      pending?.reject(new WorkbenchError(result.error));
    }
  }

  /** Rejects every waiting and later call. Only the first end counts. */
  end(error: WorkbenchError): void {
    this.#ended ??= error;
    this.#pending.forEach(({ reject }) => reject(error));
    this.#pending.clear();
  }
}

/** What a thread that only answers calls has that others have not. */
export interface CallThreadOptions<Other> {
  /** The error of calls once the thread has ended; no cause if it ended without an error. */
  endedError: (cause?: unknown) => WorkbenchError;
  /** Messages that are no results. */
  onMessage?: (message: Other) => void;
  /** Called once, when the thread is to end or has ended. */
  onEnd?: () => void;
}

/** Calls to an object in a worker thread (`serveFace`). The thread keeps the process alive only while a call waits. */
export class CallThread<Face, Other extends object = never> {
  readonly calls: Pick<RemoteCalls<Face>, 'call'>;
  readonly #worker: Worker;
  readonly #calls: RemoteCalls<Face>;
  #onEnd: (() => void) | undefined;

  constructor(worker: Worker, { endedError, onMessage, onEnd }: CallThreadOptions<Other>) {
    this.#worker = worker;
    this.#onEnd = onEnd;
    const calls = new RemoteCalls<Face>((call) => {
      worker.ref();
      worker.postMessage(call);
    });
    this.calls = calls;
    this.#calls = calls;
    worker.on('message', (message: RemoteResult | Other) => {
      if (!('type' in message)) {
        onMessage?.(message);
        return;
      }
      calls.receive(message);
      if (calls.isIdle) {
        worker.unref();
      }
    });
    worker.on('error', (error) => void this.end(endedError(error)));
    worker.on('exit', () => void this.end(endedError()));
  }

  /** Ends the thread, also in the middle of a call: calls that wait, and later ones, are rejected. */
  async end(error: WorkbenchError): Promise<void> {
    this.#onEnd?.();
    this.#onEnd = undefined;
    this.#calls.end(error);
    await this.#worker.terminate();
  }
}

/** Runs a call on the side with the object, and returns its outcome. Never rejects. */
export async function serveCall<Face>(
  face: Pick<Face, MethodOf<Face>>,
  { id, method, parameters }: RemoteCall,
): Promise<RemoteResult> {
  try {
    const run = (face as Record<string, (...parameters: unknown[]) => unknown>)[method];
    if (run === undefined) {
      throw new TypeError(`There is no method ${method}.`);
    }
    return { type: 'result', id, value: await run.apply(face, parameters) };
  } catch (error) {
    return { type: 'refused', id, error: toPlainError(error) };
  }
}

/** An error as data that can cross threads: `new WorkbenchError(plain)` restores it, without its cause. */
export type PlainError = Omit<WorkbenchErrorParameters, 'cause'>;

/** Any thrown value as data; details that cannot be cloned are omitted. */
export function toPlainError(thrown: unknown): PlainError {
  const { code, kind, message, hint, details } = toWorkbenchError(thrown);
  return { code, kind, message, hint, details: Object.fromEntries(Object.entries(details).filter(canCross)) };
}

function canCross([, value]: [string, unknown]): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

/** Folders whose thread in this process ended without releasing their lock: the next one there takes it over. */
export const leftLocked = new Set<string>();
