import { Address } from '@ton/core';
import type { Access } from '../access/createAccess';
import type { StreamRequest } from '../access/openStream';
import { StreamBell } from '../access/streamBell';
import { sameAddress } from '../address/canonicalAddress';
import { WorkbenchError } from '../base/errors';
import type { JournalDisk } from '../base/journal/journalDisk';
import { limits } from '../base/limits';
import { listenOnLoopback } from '../base/loopbackServer';
import type { Log } from '../base/log';
import { silentLog } from '../base/log';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import { randomSecret } from '../webhook/delivery/secretForm';
import { tonPay } from '../webhook/provider/tonPay';
import type { CreatedPayment } from './createPayment';
import { createPayment } from './createPayment';
import type { Arrival } from './judgeArrival';
import { judgeArrival } from './judgeArrival';
import { createMockApi } from './createMockApi';
import type { MockPayment, PaymentChange, PaymentProblem, PaymentWebhook } from './mockPayment';
import type { PayOptions } from './payPayment';
import { payPayment, readPayRequest } from './payPayment';
import { PaymentDeliveries } from './paymentDeliveries';
import { paymentLocalOnlyError } from './paymentErrors';
import { PaymentJettons } from './paymentJettons';
import type { PaymentSettings } from './paymentSettings';
import { PaymentStore, hasUndone, restoreUndone, undoVanished } from './paymentStore';
import { endThrowing } from './throwingAccount';
import { watchBlocks } from './watchBlocks';

export interface StartPaymentsOptions {
  /** Of the local network that settles the payments. */
  access: Access;
  /** 0 picks a free one. */
  port: number;
  /** Folder of the journal. */
  journalDirectory: string;
  /** The dashboard's settings, asked each time; without a secret, one is made and kept in the journal. */
  settings?: (() => PaymentSettings) | undefined;
  /** Factor for the waits between attempts, and for late webhooks: 1 is real time. */
  timeScale?: number | undefined;
  log?: Log | undefined;
  clock?: Clock | undefined;
  disk?: JournalDisk | undefined;
  /** A thread of this process has left the journal locked. */
  afterCrash?: boolean | undefined;
}

/** A running mock of the payment API. */
export interface Payments {
  /** Base URL: TONPAY_BASE_URL of the service's client. */
  readonly url: string;
  /** Problems of the journal found when opening, as text. */
  readonly problems: readonly string[];
  readonly apiKey: string | undefined;
  readonly webhookSecret: string;
  readonly size: number;
  payment(reference: string): MockPayment | undefined;
  all(): Iterable<MockPayment>;
  /**
   * Creates a payment as a request does.
   * @param request the body of create-transfer: the JSON text
   * @throws WorkbenchError `payment-refused` (input), and those of the journal
   */
  create(request: string): Promise<MockPayment>;
  /** Called for each change, once it is in the journal. Returns a function that stops it. */
  onChange(listener: (change: PaymentChange) => void): () => void;
  /** Pays a payment with a wallet of the local network, or makes that fail. See payPayment. */
  pay(reference: string, options?: PayOptions): Promise<MockPayment>;
  close(): Promise<void>;
}

/** Milliseconds between looks at the network: while a payment is open, and while none is. */
const openPauseMs = 20;
const idlePauseMs = 250;

/**
 * Starts the mock of the payment API on 127.0.0.1, settled by a local network's blocks.
 * @throws WorkbenchError `payment-local-only`, `journal-in-use`, `journal-unusable`, `port-in-use`, `port-not-allowed`,
 *   `listen-failed` (input), and the access layer's errors if the network does not answer
 */
export async function startPayments(options: StartPaymentsOptions): Promise<Payments> {
  const { access, clock = systemClock, log = silentLog, settings = (): PaymentSettings => ({}) } = options;
  if (access.network.kind !== 'local') {
    throw paymentLocalOnlyError(access.network.name);
  }
  const { last } = await access.v3.masterchainInfo();
  if (last?.seqno == null) {
    throw new WorkbenchError({
      code: 'wrong-shape',
      kind: 'service',
      message: 'The network does not report its newest block.',
    });
  }
  const store = await PaymentStore.open({
    ...{ directory: options.journalDirectory, clock, log, disk: options.disk },
    afterCrash: options.afterCrash,
  });
  const stopping = new AbortController();
  try {
    const isMade = await store.begin(last.seqno, randomSecret);
    if (isMade && store.problems.length > 0 && settings().webhookSecret === undefined) {
      log.warn(
        'Payments: the journal has lost its webhook secret. A new one was made: give it to your shop.',
      );
    }
    const secretNow = (): string => settings().webhookSecret ?? store.secret;
    const { signal } = stopping;
    const deliveries = new PaymentDeliveries({
      ...{ store, provider: tonPay, clock, log, signal, timeScale: options.timeScale ?? 1 },
      settings: () => ({ ...settings(), webhookSecret: secretNow() }),
    });
    store.changes.add(({ change, payment }) => {
      if (change === 'undone' && payment.status === 'pending') {
        deliveries.withdraw(payment);
      }
    });
    const jettons = new PaymentJettons(access);
    let paying: Promise<unknown> = Promise.resolve();
    // One at a time: the messages of one wallet are numbered.
    const pay = (reference: string, wish: PayOptions = {}): Promise<MockPayment> => {
      const paid = paying.then(() => payPayment(reference, wish, { access, store, clock, signal }));
      paying = paid.catch(() => undefined);
      return paid;
    };
    const create = (text: string, hasKey: boolean): Promise<CreatedPayment> =>
      createPayment(text, {
        ...{ clock, jettons, recipientAddr: hasKey ? settings().recipientAddr : undefined },
      });
    await endThrowing({ access });
    const server = createMockApi({
      ...{ store, log, create, network: access.network.v3 },
      keys: settings,
      pay: (text) => {
        const { reference, ...wish } = readPayRequest(text);
        return pay(reference, wish);
      },
    });
    const url = `http://127.0.0.1:${await listenOnLoopback(server, options.port)}`;
    deliveries.resume();
    const bell = new StreamBell({ access, clock, log });
    store.changes.add(() => bell.listen(streamOf(store)));
    const watching = watchBlocks({
      ...{ access, clock, log, signal, seqno: store.seqno },
      pause: () => untilNextLook(store, bell, signal),
      onBack: async () => {
        const restored = await undoVanished({
          ...{ store, clock },
          known: async (hash) => {
            const query = { hash: [...hash], limit: hash.length };
            const { transactions } = await access.v3.transactions(query, { signal });
            return new Set((transactions ?? []).flatMap((one) => one.hash ?? []));
          },
        });
        restored
          .filter(({ webhook }) => webhook?.state === 'sending')
          .forEach((payment) => deliveries.proceed(payment));
      },
      onTransactions: async (transactions) => {
        for (const transaction of transactions) {
          const arrival = judgeArrival(transaction, store);
          const before = arrival?.payment.webhook;
          if (arrival !== undefined) {
            await settle(arrival, store, (settled) => deliveries.webhookOf(settled), clock);
            if (arrival.payment.webhook !== before) {
              deliveries.proceed(arrival.payment);
            }
          }
        }
      },
      onSeen: (seqno) => store.seen(seqno),
    });
    return {
      url,
      problems: store.problems,
      get apiKey() {
        return settings().apiKey;
      },
      get webhookSecret() {
        return secretNow();
      },
      get size() {
        return store.size;
      },
      payment: (reference) => store.byReference(reference),
      all: () => store.all(),
      create: async (request) => {
        const created = await create(request, true);
        if ('problem' in created) {
          throw paymentRefusedError(created.problem);
        }
        await store.create(created.payment);
        return created.payment;
      },
      onChange: (listener) => store.changes.add(listener),
      pay,
      close: async () => {
        stopping.abort();
        bell.close();
        await server.close();
        await watching;
        await deliveries.close();
        await store.close();
      },
    };
  } catch (error) {
    stopping.abort();
    await store.close();
    throw error;
  }
}

/** The longest pause beside a stream, which says nothing of a jetton wallet that it does not know yet. */
const mostPauseMs = 1000;
/** Recipients in one subscription: the newest. */
const mostRecipients = 900;
/** Of no payment: then a stream says only that the network has gone back. */
const nobody = `0:${'0'.repeat(64)}`;

/** What happens to the recipients of open payments, and to their jetton wallets. */
function streamOf(store: PaymentStore): StreamRequest {
  const addresses = [...store.openRecipients].slice(-mostRecipients);
  return {
    types: ['account_state_change', 'jettons_change'],
    addresses: addresses.length === 0 ? [nobody] : addresses,
  };
}

/**
 * Waits until the network's stream says something. Without one, a payment that is created while none was open is
 * looked for at once, not after the rest of an idle pause.
 */
async function untilNextLook(store: PaymentStore, bell: StreamBell, signal: AbortSignal): Promise<void> {
  bell.listen(streamOf(store));
  if (store.pending > 0) {
    await bell.wait(openPauseMs, signal, mostPauseMs);
    return;
  }
  const waiting = new AbortController();
  const end = (): void => waiting.abort();
  const stop = store.changes.add(end);
  signal.addEventListener('abort', end, { once: true });
  try {
    // Those that are paid or failed may be paid again, and nothing is streamed of their recipients.
    await bell.wait(idlePauseMs, waiting.signal, store.size > 0 ? mostPauseMs : undefined);
  } finally {
    stop();
    signal.removeEventListener('abort', end);
  }
}

/** @param problem as in the answer of create-transfer */
function paymentRefusedError(problem: string): WorkbenchError {
  return new WorkbenchError({
    code: 'payment-refused',
    kind: 'input',
    message: `The payment is refused: ${problem}.`,
    hint: 'Change that, and create it again.',
  });
}

/** Makes the webhook of a payment as settled, at that time. */
type WebhookOf = (settled: MockPayment) => PaymentWebhook;

/**
 * Applies a transaction to its payment: settled, failed, or a problem. The same transaction changes nothing twice.
 * The settlement and its webhook are one entry of the journal, so that neither is kept without the other.
 */
export async function settle(
  arrival: Arrival,
  store: PaymentStore,
  webhookOf: WebhookOf,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const seenAt = new Date(clock.now()).toISOString();
  const { payment, arrived, units, txHash } = arrival;
  if (payment.txHash === txHash || payment.problems.some((problem) => problem.txHash === txHash)) {
    return;
  }
  if (hasUndone(payment) && payment.undone.txHash === txHash) {
    await restoreUndone(payment, store);
    return;
  }
  const isRight = units !== null && units.toString() === payment.rawAmount;
  if (payment.status === 'success') {
    await addProblem(arrival, arrived ? 'paid-again' : 'bounced', store, seenAt);
  } else if (arrived && isRight) {
    await finish(arrival, 'success', store, webhookOf, seenAt);
  } else if (arrived) {
    await addProblem(arrival, 'wrong-amount', store, seenAt);
  } else if (payment.status === 'failed') {
    await addProblem(arrival, 'bounced', store, seenAt);
  } else {
    await finish(arrival, 'failed', store, webhookOf, seenAt);
  }
}

async function finish(
  arrival: Arrival,
  status: 'success' | 'failed',
  store: PaymentStore,
  webhookOf: WebhookOf,
  seenAt: string,
): Promise<void> {
  const { payment, sender, txHash, traceId, at, code } = arrival;
  const senderAddr =
    sender === undefined || sameAddress(sender, payment.senderAddr)
      ? payment.senderAddr
      : Address.parseRaw(sender).toString({ bounceable: false });
  const failed = status === 'failed';
  const set = {
    ...{ status, senderAddr, txHash, traceId, date: at, settledAt: seenAt, undone: null },
    ...(failed && code !== undefined ? { errorCode: code } : {}),
    ...(failed ? { errorMessage: 'The message was not accepted, and the payment was returned.' } : {}),
  };
  const settled: MockPayment = { ...payment, ...set };
  await store.change(payment, { ...set, webhook: webhookOf(settled) }, failed ? 'failed' : 'settled');
}

function addProblem(
  arrival: Arrival,
  kind: PaymentProblem['kind'],
  store: PaymentStore,
  seenAt: string,
): Promise<void> {
  const { payment, units, txHash, at } = arrival;
  const problem = { kind, at, rawAmount: units?.toString() ?? null, txHash, seenAt };
  // The newest are kept: of a thousand repeats, the first say nothing more.
  const problems = [...payment.problems, problem].slice(-limits.paymentProblems.most);
  return store.change(payment, { problems }, kind);
}
