import type { Worker } from 'node:worker_threads';
import { WorkbenchError } from '../errors';
import { Listeners } from '../listeners';
import type { Log, LogLevel } from '../log';
import type { PlainError } from './plainError';
import { RemoteCalls } from './remoteCalls';
import type { RemoteCall, RemoteResult } from './remoteCalls';

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
