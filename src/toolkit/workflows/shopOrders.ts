import { beginCell } from '@ton/core';
import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Access } from '../access/createAccess';
import { traceSourceOf } from '../access/traceSourceOf';
import { canonicalAddress } from '../address/canonicalAddress';
import { checkShape } from '../base/checkShape';
import { WorkbenchError } from '../base/errors';
import { callControl } from '../localnet/callControl';
import { localControlOf } from '../localnet/controlOf';
import { paymentLocalOnlyError } from '../payments/paymentErrors';
import { whileThrowing } from '../payments/throwingAccount';
import { visibleText } from '../base/text';
import type { Clock } from '../base/time';
import { chainOf } from '../webhook/chain/chainOf';
import { happenedTransfers } from '../webhook/chain/happenedTransfers';
import { requireOrderChecks, tellsAmount } from '../webhook/check/shopRules';
import { orderUnits } from '../webhook/orders/orderPaymentLine';
import type { HappenedTransfer } from '../webhook/payload/transferPayload';
import type { WebhookProvider } from '../webhook/provider/webhookProvider';
import { tonPay } from '../webhook/provider/tonPay';
import type { SendScenarioParameters } from '../webhook/send/sendScenario';
import { fromBaseUnits } from '../webhook/values/amount';
import { isNativeAsset, nativeAsset } from '../webhook/values/asset';
import { isHttpSuccess } from '../webhook/values/isHttpSuccess';

const answerSchema = z.object({
  reference: z.string().min(1).max(200),
  rawAmount: z
    .string()
    .regex(/^\d{1,40}$/)
    .optional(),
  amount: z
    .string()
    .regex(/^\d{1,40}(?:\.\d{1,40})?$/)
    .optional(),
  asset: z.string().max(100).default(nativeAsset),
  recipient: z.string().max(100),
  payload: z.string().max(10_000).optional(),
});
const stateSchema = z.object({ paid: z.int().min(0) });

/** A shop that tells of its orders, for tests only, and the network on which they are paid. */
export interface ShopToCheck {
  /** As {@link shopOrdersAt} asks it. */
  ordersUrl: URL;
  /** Of the local network whose chain the shop looks at. */
  access: Access;
}

/** What most test orders ask for, in nanocoins. */
export const usualUnits = 1_500_000_000n;

/** An order that a shop has opened for a test, with its amount in base units. */
export type TestOrder = z.output<typeof answerSchema> & { units: bigint };

/** The orders of a shop that tells of them, for tests only. */
export interface ShopOrders {
  /**
   * Opens one in the native coin.
   * @param units base units; the shop may choose others
   * @throws WorkbenchError `shop-orders-unusable`, `order-unpayable` (input), `aborted`
   */
  open(units: bigint): Promise<TestOrder>;
  /**
   * How often it was marked as paid.
   * @throws WorkbenchError `shop-orders-unusable` (input), `aborted`
   */
  timesPaid(order: TestOrder): Promise<number>;
}

/** Milliseconds for one answer of the shop. */
const answerMs = 10_000;

/**
 * A shop's orders over HTTP.
 * @param url POST {"rawAmount"} opens a test order of that amount and answers {"reference", "rawAmount", "asset",
 *   "recipient", "payload"?}; GET …/REFERENCE answers {"paid": how often it was marked as paid}
 * @param options.coin additional name of the native coin
 */
export function shopOrdersAt(
  url: URL,
  { coin, signal }: { coin?: string | undefined; signal?: AbortSignal | undefined },
): ShopOrders {
  return {
    open: async (units) => {
      const order = await ask(url, answerSchema, signal, { rawAmount: units.toString() });
      if (!isNativeAsset(order.asset, coin) || canonicalAddress(order.recipient) === undefined) {
        throw unusableError(
          url,
          'its test orders must be in the native coin, with the address of a recipient',
        );
      }
      if (order.rawAmount === undefined && order.amount === undefined) {
        throw unusableError(url, 'rawAmount is missing');
      }
      return { ...order, units: orderUnits(order, coin) };
    },
    timesPaid: async ({ reference }) => {
      const one = new URL(url);
      one.pathname = `${one.pathname.replace(/\/$/, '')}/${encodeURIComponent(reference)}`;
      return (await ask(one, stateSchema, signal)).paid;
    },
  };
}

async function ask<T>(
  url: URL,
  schema: z.ZodType<T>,
  signal: AbortSignal | undefined,
  body?: object,
): Promise<T> {
  const timeout = AbortSignal.timeout(answerMs);
  let status: number;
  let text: string;
  try {
    const answer = await fetch(url, {
      redirect: 'error',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    ({ status } = answer);
    text = await answer.text();
  } catch (cause) {
    signal?.throwIfAborted();
    throw unusableError(url, 'it does not answer', cause);
  }
  const told = text === '' ? '' : `: ${visibleText(text, 300)}`;
  if (!isHttpSuccess(status)) {
    const asked = body === undefined ? '' : ` to ${JSON.stringify(body)}`;
    throw unusableError(url, `it answered ${status}${asked}${told}`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw unusableError(url, `it does not answer with JSON${told}`, cause);
  }
  const { data, problem } = checkShape(schema, json);
  if (problem !== undefined) {
    throw unusableError(url, `${problem.path || 'its answer'} ${problem.words}`);
  }
  return data;
}

function unusableError(url: URL, problem: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'shop-orders-unusable',
    kind: 'input',
    message: `The orders at ${url.origin}${url.pathname} cannot be checked: ${problem}${problem.endsWith('.') ? '' : '.'}`,
    hint: 'See “A shop’s own orders” in docs/webhooks.md for what the URL should answer.',
    cause,
  });
}

/** How a test order is paid; by default as it should be. */
export interface TestPayment {
  /** Base units; default: the order's. */
  units?: bigint;
  /** The text comment, instead of what the order's payment carries. */
  comment?: string;
  /** To somebody else than the order's recipient. */
  toAnother?: boolean;
  /** It arrives, and is sent back. */
  bounces?: boolean;
}

/**
 * Pays an order on a local network, as a wallet that is not charged, and finds the transfer on the chain.
 * @throws WorkbenchError `payment-local-only`, `shop-orders-unusable` (input), and those of the network
 */
export async function payTestOrder(
  access: Access,
  order: TestOrder,
  { units = order.units, comment, toAnother = false, bounces = false }: TestPayment,
  signal: AbortSignal = new AbortController().signal,
): Promise<HappenedTransfer> {
  const control = localControlOf(access.network);
  if (control === undefined) {
    throw paymentLocalOnlyError(access.network.name);
  }
  const recipient = canonicalAddress(order.recipient) ?? '';
  const accounts = await callControl(control, 'accounts', {}, signal);
  const [payer = '', another = ''] = accounts.flatMap(({ address }) =>
    address === recipient ? [] : [address],
  );
  const body =
    comment === undefined && order.payload !== undefined
      ? order.payload
      : textComment(comment ?? order.reference);
  const to = toAnother ? another : recipient;
  const message = { from: payer, to, value: units.toString(), body, bounce: bounces };
  const send = async (): Promise<string | null> => {
    const { trace } = await callControl(control, 'sendAs', message, signal);
    return trace;
  };
  const trace = bounces ? await whileThrowing(to, { access, signal }, send) : await send();
  const found = trace === null ? undefined : await chainOf(traceSourceOf(access), signal).trace(trace);
  const transfer = found && happenedTransfers(found).find(({ rawAmount }) => rawAmount === units);
  if (transfer === undefined) {
    throw new WorkbenchError({
      code: 'shop-orders-unusable',
      kind: 'input',
      message: `The payment of ${JSON.stringify(order.reference)} is not on the local network's chain.`,
      hint: 'Let the network make blocks automatically, and give a wallet as the recipient.',
    });
  }
  return { ...transfer, success: !bounces };
}

/** The transfer that would pay an order, but never happened. */
export function madeUpTransfer(order: TestOrder, clock: Clock): HappenedTransfer {
  const txHash = randomBytes(32).toString('hex');
  return {
    amount: fromBaseUnits(order.units, 9),
    rawAmount: order.units,
    asset: nativeAsset,
    sender: `0:${randomBytes(32).toString('hex')}`,
    recipient: order.recipient,
    txHash,
    // No transaction has it: a chain begins with small ones.
    lt: BigInt(clock.now()) * 1_000n,
    traceId: txHash,
    success: true,
    time: Math.floor(clock.now() / 1_000),
    bodyHash: createHash('sha256')
      .update(order.payload ?? order.reference)
      .digest('base64'),
  };
}

function textComment(text: string): string {
  return beginCell().storeUint(0, 32).storeStringTail(text).endCell().toBoc().toString('base64');
}

/**
 * What the samples for a shop tell of. Where deliveries tell no amount, a receiver must find each on the chain: it is a
 * payment to the shop then that pays none of its orders. Opens an order for that, because it says who is paid.
 * @throws WorkbenchError `payment-local-only`, `shop-orders-unusable` (input), and those of the network
 */
export async function shopSample(
  { access, ordersUrl }: ShopToCheck,
  parameters: Pick<SendScenarioParameters, 'fields' | 'coin' | 'signal'> & { provider?: WebhookProvider },
): Promise<Pick<SendScenarioParameters, 'fields' | 'lt'>> {
  const { provider = tonPay, fields, signal } = parameters;
  requireOrderChecks(provider);
  if (tellsAmount(provider)) {
    return { fields };
  }
  const order = await shopOrdersAt(ordersUrl, parameters).open(usualUnits);
  const { txHash, lt } = await payTestOrder(access, order, { comment: 'a sample, for no order' }, signal);
  return { fields: { recipientAddr: order.recipient, txHash, ...fields }, lt };
}
