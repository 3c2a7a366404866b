import { Worker } from 'node:worker_threads';
import { WorkbenchError } from '../../base/errors';
import type { Log } from '../../base/log';
import { silentLog } from '../../base/log';
import { Listeners } from '../../base/numberWidths';
import { ServiceThread, builtWorker, leftLocked } from '../../base/serviceThread';
import type { Delivery, FullDelivery } from '../delivery/delivery';
import type { RefuseNext } from '../delivery/onPurpose';
import type { WebhookSecret } from '../delivery/signature';
import type { DeliveryQuery } from '../journal/deliveryStore';
import type { OrderStatus } from '../orders/orderBook';
import type { Order } from '../orders/parseOrders';
import type {
  ListenerCore,
  ListenerOptions,
  ListenerStarted,
  RecordedMessage,
  WorkerStart,
} from './listenerCore';
import type { WebhookServerSettings } from './webhookServer';

export interface StartListenerOptions extends Omit<ListenerOptions, 'afterCrash'> {
  log?: Log;
}

/** A listener in a worker thread. */
export interface WebhookListener {
  /** The full address, with the path. */
  readonly url: string;
  readonly port: number;
  /** Problems of the journal found when opening, as text. */
  readonly problems: readonly string[];
  /** Deliveries kept, newest first. */
  deliveries(query?: DeliveryQuery): Promise<{ items: Delivery[]; total: number }>;
  /** One delivery with its headers and bytes; undefined if it is no longer stored. */
  delivery(id: string): Promise<FullDelivery | undefined>;
  /** Called for each stored delivery, and again with its forward result. Returns a function that stops it. */
  onDelivery(listener: (delivery: Delivery) => void): () => void;
  /** Called once if the thread ends unexpectedly. */
  onStopped(listener: (error: WorkbenchError) => void): () => void;
  orders(): Promise<OrderStatus[]>;
  /** Undefined: no orders file, every reference is accepted. */
  setOrders(orders: readonly Order[] | undefined): Promise<void>;
  /** @throws WorkbenchError `secret-empty` (input) */
  setSecrets(secrets: readonly WebhookSecret[]): Promise<void>;
  setAllowedHosts(hosts: readonly string[]): Promise<void>;
  /** Refuses or delays the next deliveries with a valid signature on purpose; undefined: none. */
  refuseNext(next: RefuseNext | undefined): Promise<void>;
  /** Deletes all deliveries; since order states derive from them, all orders are open again. */
  clear(): Promise<void>;
  /** Writes the matching deliveries, oldest first, as JSON lines to a file; resolves with their number. */
  export(file: string, query?: DeliveryQuery): Promise<number>;
  /** Stops listening, syncs and closes the journal, ends the thread. */
  close(): Promise<void>;
}

/**
 * Starts the webhook listener in a worker thread.
 * @throws WorkbenchError those of openListener, and `listener-stopped` (internal)
 */
export async function startWebhookListener(options: StartListenerOptions): Promise<WebhookListener> {
  const { log = silentLog, ...settings } = options;
  const { journalDirectory } = options;
  const workerData: WorkerStart = { ...settings, afterCrash: leftLocked.delete(journalDirectory) };
  const worker = new Worker(builtWorker('webhookWorker', import.meta.url), { workerData, execArgv: [] });
  const recorded = new Listeners<Delivery>();
  const thread = new ServiceThread<ListenerCore, ListenerStarted, RecordedMessage>(worker, {
    log,
    stoppedError: listenerStoppedError,
    onMessage: ({ items }) => {
      if (!recorded.isEmpty) {
        items.forEach((item) => recorded.tell(JSON.parse(item) as Delivery));
      }
    },
  });
  const { url, port, problems } = await thread.started;
  thread.stopped.add(() => leftLocked.add(journalDirectory));
  const calls = thread.control;
  const change = (changed: Partial<WebhookServerSettings>): Promise<void> => calls.call('change', changed);
  return {
    url,
    port,
    problems,
    deliveries: async (query) => {
      const { items, total } = await calls.call('list', query);
      return { items: items.map((item) => JSON.parse(item) as Delivery), total };
    },
    delivery: async (id) => {
      const found = await calls.call('get', id);
      // A Buffer arrives on this side as a plain byte array.
      return found && { ...found, body: Buffer.from(found.body) };
    },
    onDelivery: (listener) => recorded.add(listener),
    onStopped: (listener) => thread.stopped.add(listener),
    orders: () => calls.call('orders'),
    setOrders: (orders) => calls.call('setOrders', orders),
    setSecrets: (secrets) => change({ secrets }),
    setAllowedHosts: (allowedHosts) => change({ allowedHosts }),
    refuseNext: (next) => calls.call('refuseNext', next),
    clear: () => calls.call('clear'),
    export: (file, query) => calls.call('export', file, query),
    close: () => thread.close(),
  };
}

function listenerStoppedError(cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'listener-stopped',
    kind: 'internal',
    message: 'The webhook listener has stopped.',
    hint: 'Start it again; everything it acknowledged is in the journal.',
    cause,
  });
}
