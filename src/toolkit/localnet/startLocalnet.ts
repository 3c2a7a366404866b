import { Worker } from 'node:worker_threads';
import { WorkbenchError } from '../errors';
import type { Log } from '../log';
import { namedAccounts } from './accounts/namedAccounts';
import type { Localnet, LocalnetOptions, LocalnetStatus } from './localnet';
import { workerFailedError } from './localnetErrors';
import type { FromWorker, ToWorker, WorkerSettings } from './workerProtocol';

/** Milliseconds that closing may take before the worker is ended by force. */
const closeTimeout = 5_000;

/**
 * Starts a local network in a worker thread and resolves when it answers requests.
 * Throws `localnet-port-taken` when the port is in use and `portFallback` is not set.
 */
export async function startLocalnet(options: LocalnetOptions): Promise<Localnet> {
  const settings: WorkerSettings = {
    port: options.port,
    host: options.host ?? '127.0.0.1',
    portFallback: options.portFallback ?? false,
    mode: options.mode ?? { kind: 'automatic', delay: options.blockDelayMs ?? 20 },
    stateDirectory: options.stateDirectory,
  };
  const worker = new Worker(options.workerUrl ?? defaultWorkerUrl(import.meta.url), { workerData: settings });
  const running = new RunningLocalnet(worker, settings, options.log);
  await running.ready;
  return running;
}

/** dist/localnetWorker.js, whether this code runs from dist/extension.js, dist/cli.js or dist/chunks/. */
export function defaultWorkerUrl(moduleUrl: string): URL {
  const place = moduleUrl.lastIndexOf('/dist/');
  const base = place < 0 ? moduleUrl : moduleUrl.slice(0, place + '/dist/'.length);
  return new URL('localnetWorker.js', base);
}

class RunningLocalnet implements Localnet {
  readonly accounts = namedAccounts;
  readonly ready: Promise<void>;
  port = 0;
  portChanged = false;
  #status: LocalnetStatus = {
    state: 'running',
    seqno: 0,
    pending: 0,
    transactions: 0,
    configOrigin: '',
    emulator: '',
  };
  readonly #listeners = new Set<(status: LocalnetStatus) => void>();
  readonly #ended: Promise<void>;

  constructor(
    private readonly worker: Worker,
    private readonly settings: WorkerSettings,
    private readonly log: Log,
  ) {
    this.#ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => this.#receive(message, resolve, reject));
      worker.once('error', (error) => {
        const failure = workerFailedError(error);
        log.error(failure.message, error);
        this.#update({ ...this.#status, state: 'failed' });
        reject(failure);
      });
    });
  }

  get v2(): string {
    return `http://${this.settings.host}:${this.port}/api/v2`;
  }

  get v3(): string {
    return `http://${this.settings.host}:${this.port}/api/v3`;
  }

  get control(): string {
    return `http://${this.settings.host}:${this.port}/control`;
  }

  status(): LocalnetStatus {
    return this.#status;
  }

  onStatus(listener: (status: LocalnetStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    if (this.#status.state === 'running') {
      const message: ToWorker = { type: 'close' };
      this.worker.postMessage(message);
      const timer = setTimeout(() => void this.worker.terminate(), closeTimeout);
      await this.#ended;
      clearTimeout(timer);
      this.#update({ ...this.#status, state: 'closed' });
    }
  }

  #receive(message: FromWorker, resolve: () => void, reject: (error: WorkbenchError) => void): void {
    switch (message.type) {
      case 'ready':
        this.port = message.port;
        this.portChanged = message.portChanged;
        resolve();
        return;
      case 'failed':
        this.#status = { ...this.#status, state: 'failed' };
        reject(new WorkbenchError(message.error));
        return;
      case 'status':
        this.#update(message.status);
        return;
      case 'log':
        this.log[message.level](message.line);
        return;
      case 'closed':
    }
  }

  #update(status: LocalnetStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) {
      listener(status);
    }
  }
}
