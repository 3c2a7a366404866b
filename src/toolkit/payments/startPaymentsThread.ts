import { Worker } from 'node:worker_threads';
import { WorkbenchError } from '../base/errors';
import { keepNewest } from '../base/collections';
import { limits } from '../base/limits';
import type { Log } from '../base/log';
import { silentLog } from '../base/log';
import { Listeners } from '../base/numberWidths';
import type { RemoteCalls } from '../base/serviceThread';
import { ServiceThread, builtWorker, leftLocked } from '../base/serviceThread';
import type { MockPayment, PaymentChange } from './mockPayment';
import type {
  PaymentMessageChanged,
  PaymentsControl,
  PaymentsStarted,
  PaymentsWorkerStart,
} from './paymentSettings';

export interface PaymentsThreadOptions extends Omit<PaymentsWorkerStart, 'afterCrash'> {
  log?: Log;
}

/** A mock of the payment API in a worker thread: its server, its journal, and its deliveries are there. */
export interface PaymentsThread {
  /** Base URL: TONPAY_BASE_URL of the service's client. */
  readonly url: string;
  /** Problems of the journal found when opening, as text. */
  readonly problems: readonly string[];
  /** Number of payments. */
  readonly size: number;
  /** Asks the API to do something; rejects with its errors. */
  readonly control: Pick<RemoteCalls<PaymentsControl>, 'call'>;
  /** The newest payments as they are now, newest first. */
  newest(): MockPayment[];
  /** Called after each change. Returns a function that stops it, as the other. */
  onChange(listener: (change: PaymentChange) => void): () => void;
  /** Called once if the thread ends unexpectedly. */
  onStopped(listener: (error: WorkbenchError) => void): () => void;
  /** Stops the API and closes its journal. Webhooks under way go on with the next start. */
  close(): Promise<void>;
}

/**
 * Starts the mock of the payment API in a worker thread.
 * @throws WorkbenchError those of startPayments, and `payments-stopped` (internal)
 */
export async function startPaymentsThread({
  log = silentLog,
  ...settings
}: PaymentsThreadOptions): Promise<PaymentsThread> {
  const { journalDirectory } = settings;
  const workerData: PaymentsWorkerStart = { ...settings, afterCrash: leftLocked.delete(journalDirectory) };
  const worker = new Worker(builtWorker('paymentsWorker', import.meta.url), { workerData, execArgv: [] });
  const changes = new Listeners<PaymentChange>();
  const known = new Map<string, MockPayment>();
  let size = 0;
  const keep = (payment: MockPayment): void => {
    if (known.has(payment.reference)) {
      // It keeps its place.
      known.set(payment.reference, payment);
    } else {
      keepNewest(known, payment.reference, payment, limits.paymentRows.most);
    }
  };
  const thread = new ServiceThread<PaymentsControl, PaymentsStarted, PaymentMessageChanged>(worker, {
    log,
    stoppedError: paymentsStoppedError,
    onStarted: (started) => {
      size = started.size;
      started.newest.forEach(keep);
    },
    onMessage: ({ change, payment }) => {
      if (change === 'created') {
        size += 1;
      }
      if (change === 'created' || known.has(payment.reference)) {
        keep(payment);
      }
      changes.tell({ change, payment });
    },
  });
  const { url, problems } = await thread.started;
  thread.stopped.add(() => leftLocked.add(journalDirectory));
  return {
    url,
    problems,
    get size() {
      return size;
    },
    control: thread.control,
    newest: () => [...known.values()].reverse(),
    onChange: (listener) => changes.add(listener),
    onStopped: (listener) => thread.stopped.add(listener),
    close: () => thread.close(),
  };
}

function paymentsStoppedError(cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'payments-stopped',
    kind: 'internal',
    message: 'The payment API has stopped.',
    hint: 'Start it again; all payments are in its journal.',
    cause,
  });
}
