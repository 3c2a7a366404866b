import { createHash, randomBytes } from 'node:crypto';
import { beginCell } from '@ton/core';
import * as z from 'zod';
import type { Access } from '../access/createAccess';
import { traceSourceOf } from '../access/traceSourceOf';
import { canonicalAddress } from '../address/canonicalAddress';
import { checkShape } from '../checkShape';
import { WorkbenchError } from '../errors';
import { callControl } from '../localnet/callControl';
import { localControlOf } from '../localnet/controlOf';
import { paymentLocalOnlyError } from '../payments/paymentErrors';
import { visibleText } from '../text';
import { systemClock } from '../time';
import type { Clock } from '../time';
import { chainOf } from '../webhook/chain/chainOf';
import { happenedTransfers } from '../webhook/chain/happenedTransfers';
import type { CheckRow, ShopRule } from '../webhook/check/checkRow';
import { orderUnits } from '../webhook/orders/orderPaymentLine';
import { transferPayload } from '../webhook/payload/transferPayload';
import type { HappenedTransfer } from '../webhook/payload/transferPayload';
import type { ScenarioName } from '../webhook/send/scenarios';
import { sendScenario } from '../webhook/send/sendScenario';
import type { SendScenarioParameters } from '../webhook/send/sendScenario';
import { fromBaseUnits } from '../webhook/values/amount';
import { isNativeAsset, nativeAsset } from '../webhook/values/asset';
import { isHttpSuccess } from '../webhook/values/isHttpSuccess';

/** A shop that tells of its orders, for tests only, and the network on which they are paid. */
export interface ShopToCheck {
  /**
   * POST {"rawAmount"} opens a test order of that amount and answers {"reference", "rawAmount", "asset", "recipient",
   * "payload"?}; GET …/REFERENCE answers {"paid": how often it was marked as paid}.
   */
  ordersUrl: URL;
  /** Of the local network whose chain the shop looks at. */
  access: Access;
}

interface ShopRuleText extends Pick<CheckRow, 'scenario' | 'rule' | 'expected'> {
  consequence: string;
}

/** The rules that only the orders themselves show. */
export const shopRules: Readonly<Record<ShopRule, ShopRuleText>> = {
  paid: {
    scenario: 'success',
    rule: 'mark an order as paid once its payment is on the chain',
    expected: 'paid',
    consequence: 'No payment would be noticed. The other rules about orders could not be tested.',
  },
  once: {
    scenario: 'duplicate',
    rule: 'count a payment once, however often it is delivered',
    expected: 'paid once',
    consequence: 'Repeats are not recognized: after each retry, the customer gets the goods again.',
  },
  status: {
    scenario: 'failed',
    rule: 'look at the status: a failed transfer pays nothing',
    expected: 'not paid',
    consequence: 'transfer.completed also comes for failed transfers: they would get the goods for nothing.',
  },
  amount: {
    scenario: 'amount-off-by-one',
    rule: 'compare integers: one base unit less does not pay',
    expected: 'not paid',
    consequence: 'Amounts are compared as floating-point numbers, or not at all: too little is enough.',
  },
  chain: {
    scenario: 'success',
    rule: 'look at the chain: what is not there pays nothing',
    expected: 'not paid',
    consequence:
      'The delivery is trusted alone: whoever has the secret, or a fault of the service, opens every order.',
  },
};

type Sending = Omit<SendScenarioParameters, 'scenario' | 'payload' | 'fields' | 'onAttempt' | 'once'>;

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

type TestOrder = z.output<typeof answerSchema> & { units: bigint };

const usualUnits = 1_500_000_000n;
/** Milliseconds for one answer of the shop, until a payment is marked, and for what may still follow it. */
const answerMs = 10_000;
const paidMs = 10_000;
const pollMs = 50;
const afterwardsMs = 500;

/**
 * Pays test orders of a shop on the local network, delivers their webhooks, rightly and wrongly, and asks the shop
 * how often it has marked each as paid.
 * @throws WorkbenchError `payment-local-only`, `shop-orders-unusable` (input), and those of the network
 */
export async function checkShopOrders(shop: ShopToCheck, sending: Sending): Promise<CheckRow[]> {
  const { clock = systemClock, signal } = sending;
  const started = clock.monotonic();
  const close = closeUnits();
  const [genuine, failed, short, absent] = [
    await openOrder(shop, usualUnits, sending),
    await openOrder(shop, usualUnits, sending),
    await openOrder(shop, close, sending),
    await openOrder(shop, usualUnits, sending),
  ];
  const send = async (
    scenario: ScenarioName,
    order: TestOrder,
    transfer: HappenedTransfer,
  ): Promise<void> => {
    const payload = transferPayload(transfer, { reference: order.reference, clock });
    await sendScenario({ ...sending, scenario, payload, once: true });
  };
  // Those that pay for nothing come first: when the genuine one has been marked, they would have been, too.
  await send('failed', failed, await pay(shop, failed, failed.units, signal));
  await send('success', short, await pay(shop, short, short.units - 1n, signal));
  await send('success', absent, madeUp(absent, clock));
  const transfer = await pay(shop, genuine, genuine.units, signal);
  await send('success', genuine, transfer);
  const paid = await untilPaid(shop, genuine, sending);
  await send('duplicate', genuine, transfer);
  await send('concurrent', genuine, transfer);
  await clock.sleep(afterwardsMs, signal);
  const counts: Record<ShopRule, number> = {
    paid,
    once: await paidCount(shop, genuine, sending),
    status: await paidCount(shop, failed, sending),
    amount: await paidCount(shop, short, sending),
    chain: await paidCount(shop, absent, sending),
  };
  const ms = clock.monotonic() - started;
  const rules = (Object.keys(shopRules) as ShopRule[]).map((rule) => rowOf(rule, counts[rule], ms));
  const row = rules.find(({ shop: name }) => name === 'amount');
  if (row?.ok === true && short.units !== close) {
    row.tolerated = true;
    row.note =
      'The shop did not open an order of the amount asked for: whether it compares as floating-point numbers is not seen.';
  }
  // What pays for nothing says little about a shop that marks nothing.
  return paid === 0
    ? rules.filter(({ ok, shop: name }) => name === 'paid' || (!ok && name !== 'once'))
    : rules;
}

function rowOf(rule: ShopRule, paid: number, ms: number): CheckRow {
  const { consequence, ...text } = shopRules[rule];
  const ok = rule === 'paid' ? paid > 0 : rule === 'once' ? paid === 1 : paid === 0;
  return {
    ...text,
    got: paid === 0 ? 'not paid' : paid === 1 ? 'paid once' : `paid ${paid} times`,
    statuses: [],
    ms,
    ok,
    tolerated: false,
    note: ok ? null : consequence,
    shop: rule,
  };
}

/** An amount that, as a floating-point number, equals the one below it, in coins as in nanocoins. */
function closeUnits(): bigint {
  let units = 2n ** 53n + 2n;
  const isClose = (): boolean =>
    Number(units) === Number(units - 1n) &&
    Number(fromBaseUnits(units, 9)) === Number(fromBaseUnits(units - 1n, 9));
  while (!isClose()) {
    units += 1n;
  }
  return units;
}

/** Pays an order as a wallet that is not charged, and finds the transfer on the chain. */
async function pay(
  { access }: ShopToCheck,
  order: TestOrder,
  units: bigint,
  signal: AbortSignal = new AbortController().signal,
): Promise<HappenedTransfer> {
  const control = localControlOf(access.network);
  if (control === undefined) {
    throw paymentLocalOnlyError(access.network.name);
  }
  const to = canonicalAddress(order.recipient) ?? '';
  const accounts = await callControl(control, 'accounts', {}, signal);
  const payer = accounts.find(({ address }) => address !== to)?.address ?? '';
  const comment = beginCell().storeUint(0, 32).storeStringTail(order.reference).endCell();
  const body = order.payload ?? comment.toBoc().toString('base64');
  const { trace } = await callControl(
    control,
    'sendAs',
    { from: payer, to, value: units.toString(), body },
    signal,
  );
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
  return { ...transfer, success: true };
}

/** A transfer that never happened. */
function madeUp(order: TestOrder, clock: Clock): HappenedTransfer {
  const txHash = randomBytes(32).toString('hex');
  return {
    amount: fromBaseUnits(order.units, 9),
    rawAmount: order.units,
    asset: nativeAsset,
    sender: `0:${randomBytes(32).toString('hex')}`,
    recipient: order.recipient,
    txHash,
    traceId: txHash,
    success: true,
    time: Math.floor(clock.now() / 1_000),
    bodyHash: createHash('sha256')
      .update(order.payload ?? order.reference)
      .digest('base64'),
  };
}

async function untilPaid(shop: ShopToCheck, order: TestOrder, sending: Sending): Promise<number> {
  const { clock = systemClock, signal } = sending;
  const until = clock.monotonic() + paidMs;
  for (;;) {
    const paid = await paidCount(shop, order, sending);
    if (paid > 0 || clock.monotonic() > until) {
      return paid;
    }
    await clock.sleep(pollMs, signal);
  }
}

async function openOrder({ ordersUrl }: ShopToCheck, units: bigint, sending: Sending): Promise<TestOrder> {
  const order = await ask(ordersUrl, answerSchema, sending, { rawAmount: units.toString() });
  if (!isNativeAsset(order.asset, sending.coin) || canonicalAddress(order.recipient) === undefined) {
    throw unusableError(
      ordersUrl,
      'its test orders must be in the native coin, with the address of a recipient',
    );
  }
  if (order.rawAmount === undefined && order.amount === undefined) {
    throw unusableError(ordersUrl, 'rawAmount is missing');
  }
  return { ...order, units: orderUnits(order, sending.coin) };
}

async function paidCount(
  { ordersUrl }: ShopToCheck,
  { reference }: TestOrder,
  sending: Sending,
): Promise<number> {
  const url = new URL(ordersUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(reference)}`;
  return (await ask(url, stateSchema, sending)).paid;
}

async function ask<T>(url: URL, schema: z.ZodType<T>, { signal }: Sending, body?: object): Promise<T> {
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
