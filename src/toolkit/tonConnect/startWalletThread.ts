import { Worker } from 'node:worker_threads';
import { parseBocInput } from '../cell/parseBocInput';
import { WorkbenchError } from '../base/errors';
import type { Log } from '../base/log';
import { silentLog } from '../base/log';
import { Listeners } from '../base/numberWidths';
import type { PreparedSend } from '../send/preparedSend';
import type { ExternalMessage } from '../send/externalMessage';
import { readExternalMessage } from '../send/externalMessage';
import type { RemoteCalls } from '../base/serviceThread';
import { ServiceThread, builtWorker, leftLocked, serveCall, toPlainError } from '../base/serviceThread';
import type {
  SessionFacts,
  WalletControl,
  WalletHelper,
  WalletNotice,
  WalletSnapshot,
  WalletStarted,
  WalletWorkerMessage,
  WalletWorkerStart,
} from './startTestWallet';
import type { RelayRecord, WalletAnswer, WalletRequest } from './walletBook';
import type { WalletNetwork } from './walletNetwork';

export interface WalletThreadOptions extends Omit<WalletWorkerStart, 'network' | 'afterCrash'> {
  network: WalletNetwork;
  log?: Log;
}

/** A request that somebody, or a rule, decides next. */
export interface AskedRequest {
  request: WalletRequest;
  session: SessionFacts;
  /** Of a transaction that somebody decides: what it would do now, or why that is unknown. */
  rehearsed: PreparedSend | WorkbenchError | undefined;
}

/** A test wallet in a worker thread: its server, its journal, and its keys are there. */
export interface WalletThread {
  readonly port: number;
  /** As of now. */
  readonly snapshot: WalletSnapshot;
  /** Asks the wallet to do something; rejects with its errors. */
  readonly control: Pick<RemoteCalls<WalletControl>, 'call'>;
  /** Called after each change of {@link snapshot}. Returns a function that stops it, as the others. */
  onChange(listener: () => void): () => void;
  onRequest(listener: (asked: AskedRequest) => void): () => void;
  onAnswer(listener: (answer: WalletAnswer) => void): () => void;
  onRelay(listener: (number: number, relay: RelayRecord) => void): () => void;
  /** Called once if the thread ends unexpectedly. */
  onStopped(listener: (error: WorkbenchError) => void): () => void;
  /** Stops listening, closes the journal, and ends the thread. What is being carried out goes on with the next start. */
  close(): Promise<void>;
}

/**
 * Starts a test wallet in a worker thread. Its network stays in this one: states, rehearsals, and sends. What an earlier
 * run has left in the folder goes on once `resume` is called: after the listeners are there.
 *
 * @throws WorkbenchError those of startTestWallet, and `wallet-stopped` (internal)
 */
export async function startWalletThread({
  network,
  log = silentLog,
  ...settings
}: WalletThreadOptions): Promise<WalletThread> {
  const { folder = '' } = settings;
  const { name, chain, accounts } = network;
  const workerData: WalletWorkerStart = {
    ...settings,
    network: { name, chain, accounts },
    afterCrash: leftLocked.delete(folder),
  };
  const worker = new Worker(builtWorker('walletWorker', import.meta.url), { workerData, execArgv: [] });
  const thread = new RunningThread(worker, network, log);
  await thread.started;
  thread.onStopped(() => leftLocked.add(folder));
  return thread;
}

/** This thread's end of the connection to the worker. */
class RunningThread implements WalletThread {
  port = 0;
  snapshot!: WalletSnapshot;
  readonly started: Promise<unknown>;
  readonly #thread: ServiceThread<WalletControl, WalletStarted, WalletWorkerMessage>;
  readonly #helper: WalletHelper;
  readonly #ends = new AbortController();
  /** Rehearsals of requests that have not been told yet, by number. */
  readonly #rehearsed = new Map<number, PreparedSend | WorkbenchError | undefined>();
  readonly #changes = new Listeners<undefined>();
  readonly #requests = new Listeners<AskedRequest>();
  readonly #answers = new Listeners<WalletAnswer>();
  readonly #relays = new Listeners<{ number: number; relay: RelayRecord }>();

  constructor(worker: Worker, network: WalletNetwork, log: Log) {
    this.#helper = this.#helperOver(network);
    this.#thread = new ServiceThread(worker, {
      log,
      stoppedError: walletStoppedError,
      onStarted: ({ port, snapshot }) => Object.assign(this, { port, snapshot }),
      onMessage: (message) => this.#receive(message),
      onEnd: () => this.#ends.abort(),
    });
    this.started = this.#thread.started;
  }

  get control(): RemoteCalls<WalletControl> {
    return this.#thread.control;
  }

  onChange(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  onRequest(listener: (asked: AskedRequest) => void): () => void {
    return this.#requests.add(listener);
  }

  onAnswer(listener: (answer: WalletAnswer) => void): () => void {
    return this.#answers.add(listener);
  }

  onRelay(listener: (number: number, relay: RelayRecord) => void): () => void {
    return this.#relays.add(({ number, relay }) => listener(number, relay));
  }

  onStopped(listener: (error: WorkbenchError) => void): () => void {
    return this.#thread.stopped.add(listener);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #receive(message: WalletWorkerMessage): void {
    if (message.type === 'changed') {
      this.#change(message.snapshot, message.notice);
    } else {
      void serveCall<WalletHelper>(this.#helper, message).then((result) => this.#thread.post(result));
    }
  }

  #change(snapshot: WalletSnapshot, notice: WalletNotice | undefined): void {
    this.snapshot = snapshot;
    if (notice !== undefined) {
      this.#tell(notice);
    }
    for (const request of this.#rehearsed.keys()) {
      // Withdrawn, or decided before it was told.
      if (!snapshot.pending.includes(request)) {
        this.#rehearsed.delete(request);
      }
    }
    this.#changes.tell(undefined);
  }

  #tell(notice: WalletNotice): void {
    if (notice.type === 'answer') {
      this.#answers.tell(notice.answer);
      return;
    }
    if (notice.type === 'relay') {
      this.#relays.tell(notice);
      return;
    }
    const { request, session, problem } = notice;
    const rehearsed =
      problem === undefined ? this.#rehearsed.get(request.number) : new WorkbenchError(problem);
    this.#rehearsed.delete(request.number);
    this.#requests.tell({ request, session, rehearsed });
  }

  #helperOver(network: WalletNetwork): WalletHelper {
    const { signal } = this.#ends;
    return {
      signingState: (address) => network.signingState(address, signal),
      rehearse: async (request, message) => {
        this.#rehearsed.set(request, await network.rehearse(messageOf(message), signal, request));
      },
      rehearseRelay: async (request, wallet, message) => {
        this.#rehearsed.set(request, await network.rehearseRelay(wallet, message, signal, request));
      },
      relay: (order) => network.relay(order, signal),
      lookUp: (questions) => network.lookUp(questions, signal),
      send: async (message) => {
        const outcome = await network.send(messageOf(message), signal);
        return outcome.state === 'sent' ? outcome : { ...outcome, error: toPlainError(outcome.error) };
      },
    };
  }
}

function messageOf(boc: string): ExternalMessage {
  return readExternalMessage(parseBocInput(boc));
}

function walletStoppedError(cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-stopped',
    kind: 'internal',
    message: `The test wallet has stopped${cause instanceof Error ? `: ${cause.message.replace(/\.$/, '')}` : ''}.`,
    hint: 'Start it again: it continues where it was.',
    cause,
  });
}
