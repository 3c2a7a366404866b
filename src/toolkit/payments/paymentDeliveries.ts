import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import type { Log } from '../base/log';
import type { Clock } from '../base/time';
import type { WebhookProvider } from '../webhook/provider/webhookProvider';
import { deliver } from '../webhook/send/sendHttpRequest';
import type { Attempt } from '../webhook/send/sendHttpRequest';
import type { MockPayment, PaymentWebhook } from './mockPayment';
import type { PaymentSettings } from './paymentSettings';
import type { PaymentStore } from './paymentStore';
import { transferData } from './mockPayment';

export interface PaymentDeliveriesOptions {
  store: PaymentStore;
  provider: WebhookProvider;
  /** As they are now. */
  settings: () => Required<Pick<PaymentSettings, 'webhookSecret'>> & PaymentSettings;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Factor for the waits between attempts, and for late webhooks: 1 is real time. */
  timeScale: number;
}

/** Deliveries at the same time: the rest wait their turn. */
const mostAtOnce = 32;

/**
 * The webhooks of settled payments, delivered as the service does. Each is in the journal before its first byte
 * leaves, and its result after; what a kill leaves open is delivered again.
 */
export class PaymentDeliveries {
  readonly #options: PaymentDeliveriesOptions;
  readonly #queue: MockPayment[] = [];
  readonly #open = new Set<Promise<void>>();
  #sending = 0;
  /** Ends what is under way for a payment: a later webhook of it takes its place. */
  readonly #current = new Map<MockPayment, AbortController>();

  constructor(options: PaymentDeliveriesOptions) {
    this.#options = options;
  }

  /** The webhook of a payment as it is settled: its text, and how it will be delivered. */
  webhookOf(payment: MockPayment): PaymentWebhook {
    const { clock, settings, timeScale } = this.#options;
    const now = clock.now();
    const body = JSON.stringify({
      event: 'transfer.completed',
      timestamp: new Date(now).toISOString(),
      data: transferData(payment),
    });
    if (payment.delivery?.kind === 'never') {
      return { state: 'never', body, attempts: [] };
    }
    if (settings().webhookUrl === undefined) {
      return { state: 'no-url', body, attempts: [] };
    }
    if (payment.delivery?.kind === 'late') {
      const dueAt = new Date(now + payment.delivery.ms * timeScale).toISOString();
      return { state: 'late', body, dueAt, attempts: [] };
    }
    return { state: 'sending', body, attempts: [] };
  }

  /** Goes on with a payment's webhook: after it is settled, or after a restart. */
  proceed(payment: MockPayment): void {
    const { store } = this.#options;
    this.#current.get(payment)?.abort();
    this.#current.set(payment, new AbortController());
    switch (payment.webhook?.state) {
      case 'sending':
        this.#queue.push(payment);
        this.#next();
        return;
      case 'late':
        store.changes.tell({ change: 'late', payment });
        this.#wait(payment, payment.webhook);
        return;
      case 'never':
        store.changes.tell({ change: 'withheld', payment });
        return;
      case 'no-url':
        store.changes.tell({ change: 'no-url', payment });
        return;
      default:
    }
  }

  /** Ends what is under way for a payment that was undone. */
  withdraw(payment: MockPayment): void {
    this.#current.get(payment)?.abort();
    this.#current.delete(payment);
  }

  /** Takes up everything that a restart has left open. */
  resume(): void {
    for (const payment of this.#options.store.all()) {
      if (payment.webhook?.state === 'sending' || payment.webhook?.state === 'late') {
        this.proceed(payment);
      }
    }
  }

  /** Resolves once everything that was under way has ended. */
  async close(): Promise<void> {
    this.#queue.length = 0;
    await Promise.all(this.#open);
  }

  #wait(payment: MockPayment, { dueAt = '' }: PaymentWebhook): void {
    const { clock } = this.#options;
    const { body = '' } = payment.webhook ?? {};
    const left = Math.max(0, Date.parse(dueAt) - clock.now());
    this.#track(
      clock.sleep(left, this.#signalOf(payment)).then(async () => {
        await this.#set(payment, body, { state: 'sending' });
        this.#queue.push(payment);
        this.#next();
      }),
    );
  }

  #next(): void {
    while (this.#sending < mostAtOnce) {
      const payment = this.#queue.shift();
      if (payment === undefined) {
        return;
      }
      this.#sending += 1;
      this.#track(
        this.#send(payment).finally(() => {
          this.#sending -= 1;
          if (!this.#options.signal.aborted) {
            this.#next();
          }
        }),
      );
    }
  }

  #track(work: Promise<void>): void {
    const { log, signal } = this.#options;
    const tracked = work
      .catch((error: unknown) => {
        if (!signal.aborted && !WorkbenchError.is(error, 'aborted')) {
          log.error('A webhook of a payment could not be delivered', error);
        }
      })
      .finally(() => this.#open.delete(tracked));
    this.#open.add(tracked);
  }

  async #send(payment: MockPayment): Promise<void> {
    const { provider, settings, clock, timeScale, store } = this.#options;
    const { webhookUrl, webhookSecret } = settings();
    const text = payment.webhook?.body ?? '';
    const signal = this.#signalOf(payment);
    const own = this.#current.get(payment);
    if (webhookUrl === undefined) {
      await this.#set(payment, text, { state: 'no-url' });
      store.changes.tell({ change: 'no-url', payment });
      return;
    }
    const body = Buffer.from(text, 'utf8');
    let recorded: Promise<void> = Promise.resolve();
    const { delivered } = await deliver({
      url: webhookUrl,
      headers: [
        ['Content-Type', 'application/json'],
        ['User-Agent', 'ton-workbench-payments'],
        ...provider.sign(body, webhookSecret, provider.signatureHeaders),
      ],
      body,
      policy: provider.delivery,
      timeScale,
      signal,
      clock,
      onAttempt: (attempt, waitMs) => {
        const isDelivered = attempt.status !== null && provider.delivery.isDelivered(attempt.status);
        const state = waitMs !== undefined ? 'sending' : isDelivered ? 'delivered' : 'failed';
        const nextAt = waitMs === undefined ? {} : { nextAt: new Date(clock.now() + waitMs).toISOString() };
        recorded = recorded.then(() => this.#record(payment, text, attempt, { state, ...nextAt }));
      },
    });
    await recorded;
    if (this.#current.get(payment) === own) {
      this.#current.delete(payment);
    }
    store.changes.tell({ change: delivered ? 'delivered' : 'undelivered', payment });
  }

  #signalOf(payment: MockPayment): AbortSignal {
    const { signal } = this.#options;
    const own = this.#current.get(payment)?.signal;
    return own === undefined ? signal : AbortSignal.any([signal, own]);
  }

  async #record(
    payment: MockPayment,
    body: string,
    attempt: Attempt,
    changed: Pick<PaymentWebhook, 'state' | 'nextAt'>,
  ): Promise<void> {
    const { startedAt, status, error, ms } = attempt;
    const { receiverExpects } = this.#options.settings();
    const isRefused = status !== null && changed.state !== 'delivered';
    const one = {
      ...{ at: startedAt, status, error: error?.message ?? null, ms },
      ...(isRefused && receiverExpects !== undefined ? { receiverExpects } : {}),
    };
    const attempts = [...(payment.webhook?.attempts ?? []), one].slice(-limits.paymentAttempts.most);
    await this.#set(payment, body, { ...changed, attempts });
    if (changed.state === 'sending') {
      this.#options.store.changes.tell({ change: 'attempt', payment });
    }
  }

  /** @param body of the webhook that this is about: one that has been replaced is not recorded any more */
  async #set(payment: MockPayment, body: string, changed: Partial<PaymentWebhook>): Promise<void> {
    const { dueAt: _dueAt, nextAt: _nextAt, ...webhook } = payment.webhook as PaymentWebhook;
    if (webhook.body === body) {
      await this.#options.store.change(payment, { webhook: { ...webhook, ...changed } });
    }
  }
}
