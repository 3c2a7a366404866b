import { open } from 'node:fs/promises';
import { WorkbenchError } from '../../base/errors';
import { isLoopbackHost } from '../../base/loopback';
import type { JournalDisk } from '../../base/journal/journalDisk';
import { nodeDisk } from '../../base/journal/journalDisk';
import type { Log } from '../../base/log';
import { silentLog } from '../../base/log';
import type { Clock } from '../../base/time';
import { systemClock } from '../../base/time';
import type { Delivery, FullDelivery } from '../delivery/delivery';
import type { RefuseNext } from '../delivery/onPurpose';
import type { SignatureEncoding, WebhookSecret } from '../delivery/signature';
import type { DeliveryPage, DeliveryQuery } from '../journal/deliveryStore';
import { DeliveryStore } from '../journal/deliveryStore';
import type { JournalLimits } from '../journal/journal';
import { defaultJournalLimits } from '../journal/journal';
import { exportLine } from '../journal/openKeptInbox';
import type { OrderStatus } from '../orders/orderBook';
import type { Order } from '../orders/parseOrders';
import type { ProviderChoice } from '../provider/providerOf';
import { providerOf } from '../provider/providerOf';
import type { ForwardTarget } from './forwarder';
import { Forwarder } from './forwarder';
import type { WebhookServerSettings, WebhookTimeouts } from './webhookServer';
import { WebhookServer } from './webhookServer';

/** How to listen. Everything here can cross threads. */
export interface ListenerOptions {
  /** 0 picks a free one. */
  port: number;
  /** Default `/webhook`. */
  path?: string | undefined;
  /** Without one, every delivery is rejected with that reason. */
  secrets: readonly WebhookSecret[];
  /** Whose deliveries; default: the payment service's. */
  provider?: ProviderChoice | undefined;
  /** Names of the signature header; default all of the service's. */
  signatureHeaders?: readonly string[] | undefined;
  /** Accepted encodings of the signature; default `hex`. */
  signatureEncoding?: SignatureEncoding | undefined;
  /** Additional name of the native coin. */
  coin?: string | undefined;
  /** Host names of tunnels and port forwards: `name`, `name:port`, `*.name`. */
  allowedHosts?: readonly string[] | undefined;
  /** Undefined: every reference is accepted. */
  orders?: readonly Order[] | undefined;
  journalDirectory: string;
  /** The journal's lock may have been left by a crashed listener of this process. */
  afterCrash?: boolean | undefined;
  limits?: Partial<JournalLimits> | undefined;
  forward?: ForwardTarget | undefined;
}

/** Replaced by tests. */
export interface ListenerSurroundings {
  disk?: JournalDisk;
  clock?: Clock;
  log?: Log;
  timeouts?: Partial<WebhookTimeouts>;
  onRecorded?(json: string): void;
}

/** A running listener, in its own thread. */
export interface ListenerCore {
  readonly url: string;
  readonly port: number;
  /** Problems of the journal found when opening, as text. */
  readonly problems: readonly string[];
  list: (query?: DeliveryQuery) => DeliveryPage;
  get: (id: string) => FullDelivery | undefined;
  orders: () => OrderStatus[];
  setOrders: (orders: readonly Order[] | undefined) => void;
  /** @throws WorkbenchError `secret-empty` (input) */
  change: (settings: Partial<WebhookServerSettings>) => void;
  /** Refuses or delays the next deliveries on purpose; undefined: none. */
  refuseNext: (next: RefuseNext | undefined) => void;
  clear: () => Promise<void>;
  /** Writes the matching deliveries completely, oldest first, as JSON lines; resolves with their number. */
  export: (file: string, query?: DeliveryQuery) => Promise<number>;
  close: () => Promise<void>;
}

/**
 * Opens the journal and starts listening, in this thread.
 * @throws WorkbenchError `path-invalid`, `provider-unknown`, `secret-empty`, `forward-invalid`, `forward-to-itself`, `port-in-use`,
 *   `port-not-allowed`, `listen-failed`, `journal-in-use`, `journal-unusable` (all input)
 */
export async function openListener(
  options: ListenerOptions,
  surroundings: ListenerSurroundings = {},
): Promise<ListenerCore> {
  const { clock = systemClock, log = silentLog } = surroundings;
  const path = options.path ?? '/webhook';
  checkPath(path);
  checkSecrets(options.secrets);
  const provider = providerOf(options.provider);
  const forwarder = new Forwarder(options.forward);
  const store = await DeliveryStore.open({
    directory: options.journalDirectory,
    limits: { ...defaultJournalLimits, ...options.limits },
    disk: surroundings.disk ?? nodeDisk,
    afterCrash: options.afterCrash,
    clock,
    log,
  });
  store.orders.setOrders(options.orders);
  try {
    const server = await WebhookServer.start({
      port: options.port,
      path,
      provider,
      store,
      forwarder,
      clock,
      log,
      secrets: options.secrets,
      signatureHeaders: options.signatureHeaders ?? provider.signatureHeaders,
      signatureEncoding: options.signatureEncoding,
      coin: options.coin,
      allowedHosts: options.allowedHosts ?? [],
      timeouts: surroundings.timeouts ?? {},
      onRecorded: (json) => surroundings.onRecorded?.(json),
    });
    if (options.forward !== undefined && leadsTo(options.forward.url, server.port)) {
      await server.close();
      throw forwardToItselfError();
    }
    return coreOf(server, store, forwarder);
  } catch (error) {
    await store.close();
    throw error;
  }
}

function coreOf(server: WebhookServer, store: DeliveryStore, forwarder: Forwarder): ListenerCore {
  return {
    url: server.url,
    port: server.port,
    problems: store.problems,
    list: (query) => store.list(query),
    get: (id) => store.get(id),
    orders: () => store.orders.list(),
    setOrders: (orders) => store.orders.setOrders(orders),
    change: (settings) => {
      checkSecrets(settings.secrets ?? []);
      server.change(settings);
    },
    refuseNext: (next) => server.refuseNext(next),
    clear: () => store.clear(),
    export: (file, query) => exportDeliveries(store, file, query),
    close: async () => {
      await server.close();
      forwarder.close();
      await store.close();
    },
  };
}

async function exportDeliveries(
  store: DeliveryStore,
  file: string,
  query: DeliveryQuery = {},
): Promise<number> {
  const { items } = store.list({ limit: Infinity, ...query });
  const handle = await open(file, 'w', 0o600);
  let count = 0;
  try {
    for (const item of items.reverse()) {
      const delivery = store.get((JSON.parse(item) as Delivery).id);
      if (delivery !== undefined) {
        await handle.write(`${exportLine(delivery)}\n`);
        count += 1;
      }
    }
  } finally {
    await handle.close();
  }
  return count;
}

function checkPath(path: string): void {
  if (!/^\/[!-"$-~]*$/.test(path) || path.includes('?')) {
    throw new WorkbenchError({
      code: 'path-invalid',
      kind: 'input',
      message: `The webhook path ${JSON.stringify(path)} cannot be used.`,
      hint: 'A path begins with / and has no spaces, query, or fragment, for example /webhook.',
    });
  }
}

/** An empty secret would accept anything signed with nothing. */
function checkSecrets(secrets: readonly WebhookSecret[]): void {
  const empty = secrets.find(({ value }) => value === '');
  if (empty !== undefined) {
    throw new WorkbenchError({
      code: 'secret-empty',
      kind: 'input',
      message: `The secret ${JSON.stringify(empty.name)} is empty.`,
      hint: 'An empty secret would accept forged deliveries; use the one from the service.',
    });
  }
}

function leadsTo(target: string, port: number): boolean {
  const url = new URL(target);
  return isLoopbackHost(url.hostname) && url.port === String(port);
}

function forwardToItselfError(): WorkbenchError {
  return new WorkbenchError({
    code: 'forward-to-itself',
    kind: 'input',
    message: 'The forward target is this listener itself.',
    hint: "Give the URL of your own application's webhook.",
  });
}

/** What the worker is started with. */
export type WorkerStart = ListenerOptions;

/** What the worker tells once it is up. */
export type ListenerStarted = Pick<ListenerCore, 'url' | 'port' | 'problems'>;

/** The worker's own messages: summaries as JSON, several at once. */
export interface RecordedMessage {
  type: 'recorded';
  items: string[];
}
