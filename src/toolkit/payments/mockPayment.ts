import type { TransferData } from '../webhook/payload/payload';

/** `pending` until its message has arrived; a failed one may still be paid. */
export type PaymentStatus = 'pending' | 'success' | 'failed';

/** What the wallet must send, as the service's client passes it on. */
export interface PaymentMessage {
  /** The recipient; for a jetton, the sender's jetton wallet. */
  address: string;
  /** Nanocoins. */
  amount: string;
  /** The body: BoC in base64. */
  payload: string;
}

/** Where a jetton payment must arrive. */
export interface JettonRoute {
  /** Raw addresses of the jetton wallets of both. */
  senderWallet: string;
  recipientWallet: string;
  /** Hash of the forward payload: 64 lowercase hex digits. */
  forwardHash: string;
}

/** A message of a payment that did not settle it. */
export interface PaymentProblem {
  kind: 'wrong-amount' | 'paid-again' | 'bounced';
  /** ISO 8601, the network's time. */
  at: string;
  /** Base units; null if unknown. */
  rawAmount: string | null;
  /** Lowercase hex. */
  txHash: string;
  /** ISO 8601, this machine's time; missing in a journal of an older version. */
  seenAt?: string;
}

/** A settlement that the network has undone, by going back to an earlier block. */
export interface UndoneSettlement extends Pick<
  MockPayment,
  'status' | 'txHash' | 'traceId' | 'date' | 'settledAt'
> {
  /** ISO 8601, this machine's time. */
  at: string;
}

/** One attempt to deliver the webhook. */
export interface WebhookAttempt {
  /** ISO 8601. */
  at: string;
  /** Null without a complete answer. */
  status: number | null;
  error: string | null;
  ms: number;
  /** The title of the service whose webhooks the receiver was known to expect, if that is another one: why it refused. */
  receiverExpects?: string;
}

/** The webhook of a settled payment. */
export interface PaymentWebhook {
  /**
   * `sending` is written before the first byte leaves: after a kill it is sent again. `late` waits for `dueAt`; `never`
   * was withheld on purpose; `no-url` had nowhere to go; `undone` was not delivered before its payment was undone.
   */
  state: 'sending' | 'delivered' | 'failed' | 'late' | 'never' | 'no-url' | 'undone';
  /** The exact text, the same in every attempt. */
  body: string;
  /** ISO 8601; only with `late`. */
  dueAt?: string;
  /** ISO 8601: of the next attempt, while `sending` waits for it. */
  nextAt?: string;
  attempts: readonly WebhookAttempt[];
}

/** A payment as kept in the journal. */
export interface MockPayment {
  reference: string;
  /** ISO 8601. */
  createdAt: string;
  status: PaymentStatus;
  /** Human units, exactly as requested. */
  amount: string;
  /** Base units. */
  rawAmount: string;
  /** `TON`, or the jetton master as given. */
  asset: string;
  assetTicker?: string;
  /** As requested; once settled, who really paid. */
  senderAddr: string;
  recipientAddr: string;
  commentToSender?: string;
  commentToRecipient?: string;
  message: PaymentMessage;
  /** Hash of the body cell, in base64. */
  bodyBase64Hash: string;
  /** Raw address where the message must arrive. */
  recipient: string;
  /** Undefined for coins. */
  jetton?: JettonRoute;
  /** How its webhook is to be delivered, if not at once. */
  delivery?: PaymentDelivery;
  /** Lowercase hex; empty until it is settled. */
  txHash: string;
  traceId: string;
  /** ISO 8601: of creation, then of settlement. */
  date: string;
  /** ISO 8601, this machine's time of the settlement: the network's may be elsewhere. */
  settledAt?: string;
  /** Only while it is open again. */
  undone?: UndoneSettlement | null;
  errorCode?: number;
  errorMessage?: string;
  problems: readonly PaymentProblem[];
  webhook?: PaymentWebhook;
}

/** A delivery that is not made at once: late by so many milliseconds, or never. */
export type PaymentDelivery = { kind: 'late'; ms: number } | { kind: 'never' };

/** What happened to a payment. */
export type PaymentChangeKind =
  | 'created'
  | 'settled'
  | 'failed'
  | PaymentProblem['kind']
  | 'undone'
  | 'restored'
  | 'attempt'
  | 'delivered'
  | 'undelivered'
  | 'late'
  | 'withheld'
  | 'no-url';

/** A change of a payment. */
export interface PaymentChange {
  change: PaymentChangeKind;
  payment: MockPayment;
}

/** The transfer as the service tells it: in a webhook, and by reference or body hash. */
export function transferData(payment: MockPayment): TransferData {
  const { assetTicker, commentToSender, commentToRecipient, errorCode, errorMessage } = payment;
  const failed = payment.status === 'failed';
  return {
    amount: payment.amount,
    rawAmount: payment.rawAmount,
    senderAddr: payment.senderAddr,
    recipientAddr: payment.recipientAddr,
    asset: payment.asset,
    ...(assetTicker === undefined ? {} : { assetTicker }),
    status: payment.status,
    reference: payment.reference,
    bodyBase64Hash: payment.bodyBase64Hash,
    txHash: payment.txHash,
    traceId: payment.traceId,
    ...(commentToSender === undefined ? {} : { commentToSender }),
    ...(commentToRecipient === undefined ? {} : { commentToRecipient }),
    date: payment.date,
    // A payment that failed first and succeeded later keeps no trace of the failure here.
    ...(failed && errorCode !== undefined ? { errorCode } : {}),
    ...(failed && errorMessage !== undefined ? { errorMessage } : {}),
  };
}

/** What can be made to happen to a payment. */
export const payScenarios = ['paid', 'too-little', 'twice', 'bounced', 'late', 'never'] as const;

/** `paid` as it should be; `late` and `never` pay rightly, but the webhook comes late or never. */
export type PayScenario = (typeof payScenarios)[number];

/** Each as a button, and what it does in a sentence. */
export const payScenarioWords: Readonly<Record<PayScenario, { title: string; detail: string }>> = {
  paid: { title: 'Pay', detail: 'The right amount, once.' },
  'too-little': {
    title: 'Pay Too Little',
    detail: 'One base unit less: the payment stays open, and no webhook is sent.',
  },
  twice: {
    title: 'Pay Twice',
    detail: 'The right amount two times: the second changes nothing, and there is one webhook.',
  },
  bounced: {
    title: 'Pay with Bounce',
    detail: 'The payment comes back: it has failed, and the webhook says so. It can still be paid.',
  },
  late: { title: 'Pay, Webhook Late', detail: 'The right amount; the webhook comes 30 seconds later.' },
  never: {
    title: 'Pay, No Webhook',
    detail: 'The right amount, but no webhook: your shop must ask for the status.',
  },
};
