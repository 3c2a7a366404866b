import * as z from 'zod';
import type { Access } from '../access/createAccess';
import { canonicalAddress } from '../address/canonicalAddress';
import { checkShape } from '../checkShape';
import { WorkbenchError } from '../errors';
import { visibleText } from '../text';
import { orderUnits } from '../webhook/orders/orderPaymentLine';
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
