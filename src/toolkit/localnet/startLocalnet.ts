import { Worker } from 'node:worker_threads';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import { readOrigin } from '../base/loopback';
import { Listeners } from '../base/numberWidths';
import type { Log } from '../base/log';
import type { RemoteCall } from '../base/serviceThread';
import { builtWorker, serveCall } from '../base/serviceThread';
import { systemClock } from '../base/time';
import type { LocalAccount } from '../accounts/localAccount';
import { namedAccounts } from './accounts/namedAccounts';
import type { LocalnetState, LocalnetStatus } from './control/localnetStatus';
import { AccessSource } from './fork/accessSource';
import type { ForkSource } from './fork/fork';
import type { Localnet, LocalnetOptions } from './localnet';
import { workerFailedError } from './localnetErrors';
import { localnetHost } from './localnetHost';
import type { FromWorker, ToWorker, WorkerSettings } from './workerProtocol';

/** Milliseconds for closing before the worker is killed. */
const closeTimeout = 5_000;
/**
 * Loading a long history creates many small objects at once: with a larger young generation it takes a third less
 * time (20,000 transactions: 2.3 s instead of 3.4 s, measured on a busy machine). Unused space takes no memory.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 96 };
/** Maximum crashes of a worker before it is not restarted. */
const maximumRestarts = 3;

/**
 * Starts a local network in a worker thread and resolves once it answers requests. Throws `localnet-port-taken` if
 * the port is in use and `portFallback` is not set, `localnet-state-in-use`, `origin-invalid`; with a dump
 * `localnet-dump-invalid`, `localnet-dump-version` or `localnet-load-mismatch`; for a state that is a fork
 * `localnet-fork-needed` or `localnet-fork-mismatch`; and with `fork` the errors of reading that network
 * (`block-unknown`, `archive-unavailable`, the access layer's errors).
 */
export async function startLocalnet(options: LocalnetOptions): Promise<Localnet> {
  const source = options.fork === undefined ? undefined : new AccessSource(options.fork);
  const settings: WorkerSettings = {
    port: options.port,
    portFallback: options.portFallback ?? false,
    mode: options.mode ?? { kind: 'automatic', delay: options.blockDelayMs ?? 20 },
    stateDirectory: options.stateDirectory,
    maximumTraceTransactions: options.maximumTraceTransactions,
    wallets: options.wallets,
    load: options.load,
    allowedOrigins: (options.allowedOrigins ?? []).map(requireOrigin),
    isClassicV2: options.isClassicV2 ?? false,
    fork: source?.wish,
    afterCrash: false,
  };
  const workerUrl = options.workerUrl ?? builtWorker('localnetWorker', import.meta.url);
  const running = new RunningLocalnet(workerUrl, settings, options.log, source);
  await running.start();
  return running;
}

function requireOrigin(text: string): string {
  const origin = readOrigin(text);
  if (origin === undefined) {
    throw new WorkbenchError({
      code: 'origin-invalid',
      kind: 'input',
      message: `${JSON.stringify(text)} is not the origin of a web page.`,
      hint: 'Give only the scheme, host, and port, such as https://app.example.org.',
    });
  }
  return origin;
}

/** The network as seen by this thread. */
class RunningLocalnet implements Localnet {
  accounts: readonly LocalAccount[] = namedAccounts;
  port = 0;
  portChanged = false;
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #restarts = 0;
  #status: LocalnetStatus = {
    state: 'running',
    chain: '',
    turns: 0,
    seqno: 0,
    pending: 0,
    idle: true,
    failed: [],
    transactions: 0,
    ahead: 0,
    mode: { kind: 'manual' },
    configOrigin: '',
    emulator: '',
  };
  readonly #listeners = new Listeners<LocalnetStatus>();

  constructor(
    private readonly workerUrl: URL,
    private settings: WorkerSettings,
    private readonly log: Log,
    private readonly source: AccessSource | undefined,
  ) {}

  get v2(): string {
    return `http://${localnetHost}:${this.port}/api/v2`;
  }

  get v3(): string {
    return `http://${localnetHost}:${this.port}/api/v3`;
  }

  get control(): string {
    return `http://${localnetHost}:${this.port}/control`;
  }

  status(): LocalnetStatus {
    return this.#status;
  }

  onStatus(listener: (status: LocalnetStatus) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Resolves once a worker answers requests. */
  async start(): Promise<void> {
    const worker = new Worker(this.workerUrl, { workerData: this.settings, resourceLimits });
    this.#worker = worker;
    this.#ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    let ready = false;
    await new Promise<void>((resolve, reject) => {
      const fail = (error: WorkbenchError): void => {
        if (ready) {
          void this.#recover(error);
        } else {
          this.#enter('failed');
          reject(error);
        }
      };
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') {
          ready = true;
          resolve();
        }
        this.#receive(message, fail);
      });
      worker.once('error', (error) => fail(workerFailedError(error)));
    });
    this.#enter('running');
  }

  async close(): Promise<void> {
    if (this.#status.state !== 'running') {
      return;
    }
    const message: ToWorker = { type: 'close' };
    this.#worker?.postMessage(message);
    const cancel = systemClock.after(closeTimeout, () => void this.#worker?.terminate());
    await this.#ended;
    cancel();
    this.#enter('closed');
  }

  /** Restarts the worker if the state is on disk; an in-memory state is lost. */
  async #recover(error: WorkbenchError): Promise<void> {
    this.log.error(error.message, error);
    this.#restarts += 1;
    if (this.settings.stateDirectory === undefined || this.#restarts > maximumRestarts) {
      this.#enter('failed');
      return;
    }
    this.#enter('restarting');
    await this.#ended;
    this.settings = {
      ...this.settings,
      port: this.port,
      portFallback: false,
      afterCrash: true,
      load: undefined,
    };
    try {
      await this.start();
      this.log.warn('The local network was restarted with its state.');
    } catch (failure) {
      this.log.error('The local network could not be restarted', toWorkbenchError(failure));
      this.#enter('failed');
    }
  }

  #receive(message: FromWorker, fail: (error: WorkbenchError) => void): void {
    switch (message.type) {
      case 'ready':
        this.port = message.port;
        this.accounts = message.accounts;
        this.portChanged ||= message.portChanged;
        return;
      case 'failed':
        fail(new WorkbenchError(message.error));
        return;
      case 'status':
        this.#update(message.status);
        return;
      case 'log':
        this.log[message.level](message.line);
        return;
      case 'call':
        void this.#answer(message);
        return;
      case 'closed':
    }
  }

  async #answer(call: RemoteCall): Promise<void> {
    const worker = this.#worker;
    if (this.source !== undefined) {
      const result: ToWorker = await serveCall<ForkSource>(this.source, call);
      worker?.postMessage(result);
    }
  }

  #enter(state: LocalnetState): void {
    this.#update({ ...this.#status, state });
  }

  #update(status: LocalnetStatus): void {
    this.#status = status;
    this.#listeners.tell(status);
  }
}
