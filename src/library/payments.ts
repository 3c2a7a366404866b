import type { MockPayment as ToolkitPayment } from '../toolkit/payments/mockPayment';
import { startPayments as startToolkitPayments } from '../toolkit/payments/startPayments';
import { createLog, Redactor } from '../toolkit/base/log';
import { parseEndpoint } from '../toolkit/webhook/send/parseEndpoint';
import type { Access } from './access';
import { toolkitAccess } from './toolkitAccess';

/** How the mock of the payment API runs. */
export interface PaymentsOptions {
  /** Of the local network that settles the payments; other networks are refused. */
  access: Access;
  /** Folder that keeps the payments, over any end of the process. One process at a time. */
  journalDirectory: string;
  /** Port to listen on; default 0: any free one. */
  port?: number | undefined;
  /** Receives the webhooks; without one, none are sent. https, except on this machine. */
  webhookUrl?: string | undefined;
  /** Signs the webhooks; default: one is made and kept in the journal. */
  webhookSecret?: string | undefined;
  /** Requests must carry it as x-api-key; default: none is asked for. */
  apiKey?: string | undefined;
  /** The merchant's wallet, for requests with the API key and without a recipient. */
  recipientAddr?: string | undefined;
  /** Factor for the waits between attempts, and for late webhooks; default 1, real time. */
  timeScale?: number | undefined;
  /** Receives warnings and errors. */
  log?: ((level: 'trace' | 'debug' | 'info' | 'warn' | 'error', line: string) => void) | undefined;
}

/** A payment. */
export interface Payment {
  readonly reference: string;
  /** `pending` until its message has arrived; a failed one may still be paid. */
  readonly status: 'pending' | 'success' | 'failed';
  /** Human units, exactly as requested: `10.5`. */
  readonly amount: string;
  /** Base units. */
  readonly rawAmount: string;
  /** `TON` or the address of a jetton's master, as requested. */
  readonly asset: string;
  readonly senderAddr: string;
  readonly recipientAddr: string;
  /** Hash of the body cell, in base64. */
  readonly bodyBase64Hash: string;
  /** Lowercase hex; empty until it is settled. */
  readonly txHash: string;
  /** Messages that did not settle it. */
  readonly problems: readonly {
    readonly kind: 'wrong-amount' | 'paid-again' | 'bounced';
    /** Base units; null if unknown. */
    readonly rawAmount: string | null;
    /** Lowercase hex. */
    readonly txHash: string;
  }[];
  /** Its webhook; undefined until it is settled. */
  readonly webhook:
    | {
        readonly state: 'sending' | 'delivered' | 'failed' | 'late' | 'never' | 'no-url' | 'undone';
        /** The exact text, the same in every attempt. */
        readonly body: string;
        /** Each attempt's HTTP status; null without a complete answer. */
        readonly statuses: readonly (number | null)[];
      }
    | undefined;
}

/** What happened to a payment. */
export interface PaymentChange {
  readonly change:
    | 'created'
    | 'settled'
    | 'failed'
    | 'wrong-amount'
    | 'paid-again'
    | 'bounced'
    | 'undone'
    | 'restored'
    | 'attempt'
    | 'delivered'
    | 'undelivered'
    | 'late'
    | 'withheld'
    | 'no-url';
  readonly payment: Payment;
}

/** A running mock of the payment API. */
export interface Payments {
  /** For TONPAY_BASE_URL of the service's client. */
  readonly url: string;
  readonly webhookSecret: string;
  payment(reference: string): Payment | undefined;
  /** Called for each change, once it is in the journal. Returns a function that stops it. */
  onChange(listener: (change: PaymentChange) => void): () => void;
  /**
   * Pays with a wallet of the local network, or makes that go wrong; docs/payments.md describes the scenarios. Resolves
   * once the chain shows it.
   * @throws WorkbenchError `payment-unknown`, `account-unknown`, `wallet-not-usable` (input), `timeout`
   */
  pay(
    reference: string,
    options?: {
      readonly scenario?: 'paid' | 'too-little' | 'twice' | 'bounced' | 'late' | 'never' | undefined;
      /** Name of the wallet; default: the one with the payment's sender address, else the first. */
      readonly from?: string | undefined;
      /** With `late`: milliseconds; default 30,000. */
      readonly lateMs?: number | undefined;
    },
  ): Promise<Payment>;
  /** Stops the API and what is under way; the journal keeps everything. */
  close(): Promise<void>;
}

/**
 * Starts a mock of the payment service's API on 127.0.0.1, settled by a local network's blocks.
 *
 * @throws WorkbenchError `payment-local-only`, `endpoint-invalid`, `https-required`, `journal-in-use`,
 * `journal-unusable`, `port-in-use` (input), and the network's errors
 * @example
 * ```ts
 * import { startPayments } from 'ton-workbench/payments';
 *
 * const payments = await startPayments({ access, journalDirectory: 'payments', webhookUrl });
 * process.env['TONPAY_BASE_URL'] = payments.url;
 * const { reference } = await createTonPayTransfer(order);
 * await payments.pay(reference, { scenario: 'too-little' });
 * ```
 */
export async function startPayments(options: PaymentsOptions): Promise<Payments> {
  const { access, journalDirectory, port = 0, timeScale, log = () => undefined } = options;
  const { webhookSecret, apiKey, recipientAddr } = options;
  const webhookUrl = options.webhookUrl === undefined ? undefined : parseEndpoint(options.webhookUrl);
  const running = await startToolkitPayments({
    access: toolkitAccess(access),
    settings: () => ({ webhookUrl, webhookSecret, apiKey, recipientAddr }),
    log: createLog(log, new Redactor()),
    ...{ journalDirectory, port, timeScale },
  });
  return {
    url: running.url,
    webhookSecret: running.webhookSecret,
    payment: (reference) => {
      const found = running.payment(reference);
      return found && publicPayment(found);
    },
    onChange: (listener) =>
      running.onChange(({ change, payment }) => listener({ change, payment: publicPayment(payment) })),
    pay: async (reference, wish) => publicPayment(await running.pay(reference, wish)),
    close: () => running.close(),
  };
}

/** As it is now: later changes do not show in it. */
function publicPayment(payment: ToolkitPayment): Payment {
  const { reference, status, amount, rawAmount, asset, senderAddr, recipientAddr } = payment;
  const { bodyBase64Hash, txHash, problems, webhook } = payment;
  return {
    ...{ reference, status, amount, rawAmount, asset, senderAddr, recipientAddr, bodyBase64Hash, txHash },
    problems: problems.map(({ kind, rawAmount, txHash }) => ({ kind, rawAmount, txHash })),
    webhook: webhook && {
      state: webhook.state,
      body: webhook.body,
      statuses: webhook.attempts.map(({ status }) => status),
    },
  };
}
