import { traceSourceOf } from '../toolkit/access/traceSourceOf';
import { chainOf } from '../toolkit/webhook/chain/chainOf';
import { checkAgainstChain } from '../toolkit/webhook/chain/checkAgainstChain';
import type { HeaderList } from '../toolkit/webhook/delivery/signature';
import type { OrderLookup } from '../toolkit/webhook/orders/orderBook';
import { samplePayload, withFields } from '../toolkit/webhook/payload/samplePayload';
import { tonPay } from '../toolkit/webhook/provider/tonPay';
import type { Access } from './access';
import { toolkitAccess } from './toolkitAccess';

/** A transfer as the payment service reports it. */
export interface WebhookTransfer {
  /** Human units: `10.5`. */
  amount: string;
  /** Base units. */
  rawAmount: string;
  senderAddr: string;
  recipientAddr: string;
  /** `TON` or the address of a jetton's master. */
  asset: string;
  assetTicker?: string | undefined;
  /** `success` or `failed`. */
  status: string;
  /** Your reference: the order it pays for. */
  reference: string;
  bodyBase64Hash: string;
  txHash: string;
  traceId: string;
  commentToSender?: string | undefined;
  commentToRecipient?: string | undefined;
  /** ISO 8601. */
  date: string;
  errorCode?: number | undefined;
  errorMessage?: string | undefined;
}

/** The body of a delivery. */
export interface WebhookPayload {
  /** `transfer.completed`. */
  event: string;
  /** ISO 8601. */
  timestamp: string;
  data: WebhookTransfer;
}

/** A delivery as received over HTTP. */
export interface WebhookDelivery {
  /** The raw bytes, before parsing: the signature covers these. */
  body: Uint8Array;
  /**
   * As provided by Node.js and Express, or those of a Fetch request: `Object.fromEntries(request.headers)`.
   */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** An order to compare a payment with. */
export type WebhookOrder = {
  /** `TON`, or the address of a jetton's master. */
  asset: string;
  /**
   * The asset's decimals. Those of TON and USDT are known; for other assets, they are taken from the payload
   * if missing here.
   */
  decimals?: number | undefined;
  /** The wallet that should be paid; not compared if missing. */
  recipient?: string | undefined;
  /** What you already know about it: a second delivery of a paid order is a repeat. */
  state?: 'open' | 'paid' | 'failed' | undefined;
} & (
  | {
      /** Human units: `10.5`. */
      amount: string;
    }
  | {
      /** Base units: `10500000000`. */
      rawAmount: string;
    }
);

/** How to check deliveries. */
export interface VerifyWebhookOptions {
  /** From the service's dashboard; several while one is being replaced. */
  secret: string | readonly string[];
  /** Finds the order for a reference, or undefined. Without this function, no orders are compared. */
  order?: ((reference: string) => WebhookOrder | undefined) | undefined;
}

/** The result of checking a delivery. */
export interface WebhookVerdict {
  /** Mark the order paid only on `accepted`. */
  verdict:
    | 'accepted'
    | 'repeat'
    | 'unknown-order'
    | 'mismatch'
    | 'transfer-failed'
    | 'unknown-status'
    | 'wrong-event'
    | 'bad-signature'
    | 'malformed';
  /** The HTTP status to answer with: the service repeats a delivery unless the answer is 2xx. */
  status: 200 | 400 | 401;
  /** Why it is not accepted, in one sentence. Never quotes the body or the secret. */
  reason: string | undefined;
  /** Set only if the signature is valid and the body matches the schema. */
  payload: WebhookPayload | undefined;
  /** Oddities that are not errors, one sentence each. */
  warnings: readonly string[];
}

/** A payment, compared with the chain. */
export interface PaymentCheck {
  /** Whether the payment is on this network and no field differs. */
  readonly ok: boolean;
  /** Field by field; `chain` is undefined if the chain does not say. */
  readonly fields: readonly {
    readonly field: string;
    readonly verdict: 'equal' | 'differs' | 'unknown';
    readonly payload: string;
    readonly chain: string | undefined;
  }[];
}

/**
 * Verifies a delivery: first the signature over its raw bytes, then the body, then the receiver rules.
 *
 * @example
 * ```ts
 * import { verifyWebhook } from 'ton-workbench/webhook';
 *
 * app.post('/webhook', express.raw({ type: '*\/*' }), (request, response) => {
 *   const { verdict, status, payload } = verifyWebhook(request, { secret, order: findOrder });
 *   if (verdict === 'accepted') markPaid(payload.data.reference);
 *   response.sendStatus(status);
 * });
 * ```
 */
export function verifyWebhook(
  { headers, body }: WebhookDelivery,
  { secret, order }: VerifyWebhookOptions,
): WebhookVerdict {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const secrets = [secret].flat().map((value, index) => ({ name: `secret ${index + 1}`, value }));
  const signature = tonPay.verify(headerList(headers), bytes, secrets, tonPay.signatureHeaders);
  const none = { payload: undefined, warnings: [] };
  if (!signature.ok) {
    return { verdict: 'bad-signature', status: 401, reason: signature.text, ...none };
  }
  const parsed = tonPay.parse(bytes);
  if (parsed.kind !== 'transfer') {
    const verdict = parsed.kind === 'malformed' ? 'malformed' : 'wrong-event';
    return { verdict, status: 400, reason: 'reason' in parsed ? parsed.reason : undefined, ...none };
  }
  const { verdict, reason, warnings } = tonPay.judge(parsed.payload, lookUp(order));
  return {
    verdict,
    status: 200,
    reason: reason ?? undefined,
    payload: parsed.payload,
    warnings: [...parsed.warnings, ...warnings],
  };
}

/**
 * The headers that sign a body, as sent by the service, for tests of your own endpoint.
 *
 * @param body the bytes that will be sent
 * @example
 * ```ts
 * const body = JSON.stringify(sampleWebhook({ reference: 'order-7' }));
 * await fetch(endpoint, { method: 'POST', body, headers: signWebhook(body, secret) });
 * ```
 */
export function signWebhook(body: string | Uint8Array, secret: string): Record<string, string> {
  const signed = tonPay.sign(Buffer.from(body), secret, tonPay.documentedHeaders);
  return { 'Content-Type': 'application/json', ...Object.fromEntries(signed) };
}

/**
 * A payload like the one in the service's documentation, with the current time. If only one of `amount` and `rawAmount`
 * is set, the other is derived.
 *
 * @param fields fields of the transfer to set
 * @throws WorkbenchError `field-unknown`, `field-invalid` (input)
 */
export function sampleWebhook(
  fields: Readonly<Partial<Record<keyof WebhookTransfer, string>>> = {},
): WebhookPayload {
  return withFields(samplePayload(), fields);
}

/**
 * Checks field by field whether a delivery's payment is on the chain.
 *
 * @throws WorkbenchError the network's errors
 * @example
 * ```ts
 * const { ok, fields } = await checkPayment(access, payload.data);
 * ```
 */
export async function checkPayment(
  access: Access,
  transfer: WebhookTransfer,
  { signal = new AbortController().signal }: { signal?: AbortSignal | undefined } = {},
): Promise<PaymentCheck> {
  const { ok, fields } = await checkAgainstChain(
    transfer,
    chainOf(traceSourceOf(toolkitAccess(access)), signal),
  );
  return {
    ok,
    fields: fields.map(({ field, verdict, payload, chain }) => ({
      field,
      verdict,
      payload,
      chain: chain ?? undefined,
    })),
  };
}

function headerList(headers: WebhookDelivery['headers']): HeaderList {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, value] as const),
  );
}

function lookUp(order: VerifyWebhookOptions['order']): OrderLookup {
  return {
    hasOrders: order !== undefined,
    order: (reference) => {
      const found = order?.(reference);
      return found === undefined ? undefined : { ...found, reference };
    },
    state: (reference) => {
      const state = order?.(reference)?.state;
      return state === 'open' ? undefined : state;
    },
  };
}
