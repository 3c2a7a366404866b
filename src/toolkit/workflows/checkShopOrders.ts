import { systemClock } from '../base/time';
import type { CheckRow, ShopRule, ShopRuleText } from '../webhook/check/shopRules';
import { shopRulesOf, tellsAmount } from '../webhook/check/shopRules';
import type { HappenedTransfer } from '../webhook/payload/transferPayload';
import { transferPayload } from '../webhook/payload/transferPayload';
import { tonPay } from '../webhook/provider/tonPay';
import type { ScenarioName } from '../webhook/send/scenarios';
import type { SendScenarioParameters } from '../webhook/send/sendScenario';
import { sendScenario } from '../webhook/send/sendScenario';
import { fromBaseUnits } from '../webhook/values/amount';
import type { ShopOrders, ShopToCheck, TestOrder, TestPayment } from './shopOrders';
import { madeUpTransfer, payTestOrder, shopOrdersAt, usualUnits } from './shopOrders';

type Sending = Omit<SendScenarioParameters, 'scenario' | 'payload' | 'lt' | 'fields' | 'onAttempt' | 'once'>;

/** A rule about what pays for nothing. */
type UnpaidRule = Exclude<ShopRule, 'paid' | 'once'>;

/** Milliseconds until a payment is marked, and for what may still follow it. */
const paidMs = 10_000;
const pollMs = 50;
const afterwardsMs = 500;

/**
 * Pays test orders of a shop on the local network, delivers their webhooks, rightly and wrongly, and asks the shop
 * how often it has marked each as paid.
 * @throws WorkbenchError `payment-local-only`, `shop-orders-unusable` (input), and those of the network
 */
export async function checkShopOrders(shop: ShopToCheck, sending: Sending): Promise<CheckRow[]> {
  const { provider = tonPay, clock = systemClock, signal } = sending;
  const rules = shopRulesOf(provider);
  const orders = shopOrdersAt(shop.ordersUrl, sending);
  const started = clock.monotonic();
  const pay = (order: TestOrder, payment: TestPayment = {}): Promise<HappenedTransfer> =>
    payTestOrder(shop.access, order, payment, signal);
  const send = async (
    scenario: ScenarioName,
    { reference }: TestOrder,
    transfer: HappenedTransfer,
  ): Promise<void> => {
    const payload = transferPayload(transfer, { reference, clock });
    await sendScenario({ ...sending, fields: {}, scenario, payload, lt: transfer.lt, once: true });
  };
  const tryUnpaid: Record<UnpaidRule, (order: TestOrder) => Promise<void>> = {
    status: async (order) =>
      provider.carries.includes('status')
        ? send('failed', order, await pay(order))
        : send('success', order, await pay(order, { bounces: true })),
    amount: async (order) => send('success', order, await pay(order, { units: order.units - 1n })),
    chain: (order) => send('success', order, madeUpTransfer(order, clock)),
    account: async (order) => {
      const transfer = await pay(order, { toAnother: true });
      await send('success', order, transfer);
      // The transaction is real, and the account that the delivery names is the right one.
      await send('success', order, { ...transfer, recipient: order.recipient });
    },
  };
  // Those that pay for nothing come first: when the genuine one has been marked, they would have been, too. Each is
  // delivered before the next is opened, so that a shop which guesses what a delivery pays guesses that one.
  const close = closeUnits();
  const unpaid = new Map<ShopRule, TestOrder>();
  for (const rule of unpaidRules) {
    if (rules.has(rule)) {
      const order = await orders.open(rule === 'amount' ? close : usualUnits);
      unpaid.set(rule, order);
      await tryUnpaid[rule](order);
    }
  }
  const genuine = await orders.open(usualUnits);
  const transfer = await pay(genuine);
  await send('success', genuine, transfer);
  const paid = await untilPaid(orders, genuine, sending);
  await send('duplicate', genuine, transfer);
  await send('concurrent', genuine, transfer);
  await clock.sleep(afterwardsMs, signal);
  const ms = clock.monotonic() - started;
  const rows: CheckRow[] = [];
  for (const [rule, text] of rules) {
    const times = rule === 'paid' ? paid : await orders.timesPaid(unpaid.get(rule) ?? genuine);
    rows.push(rowOf(rule, text, times, ms));
  }
  if (unpaid.get('amount')?.units !== close) {
    tolerateAmount(rows);
  }
  if (!tellsAmount(provider)) {
    followFromChain(rows);
  }
  // What pays for nothing says little about a shop that marks nothing.
  return paid === 0 ? rows.filter(({ ok, shop: name }) => name === 'paid' || (!ok && name !== 'once')) : rows;
}

/** In the order in which they are tried: first the one that a shop breaks which does not look at all. */
const unpaidRules: readonly UnpaidRule[] = ['chain', 'status', 'amount', 'account'];

function rowOf(rule: ShopRule, { consequence, ...text }: ShopRuleText, paid: number, ms: number): CheckRow {
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

/** Amounts that are kept apart were not tried with two that are close. */
function tolerateAmount(rows: readonly CheckRow[]): void {
  const row = rows.find(({ shop, ok }) => shop === 'amount' && ok);
  if (row !== undefined) {
    row.tolerated = true;
    row.note =
      'The shop did not open an order of the amount asked for: whether it compares floating-point numbers is unknown.';
  }
}

/** Where deliveries tell no amount, a shop that does not look at the chain can keep none of the others. */
function followFromChain(rows: readonly CheckRow[]): void {
  if (rows.some(({ shop, ok }) => shop === 'chain' && !ok)) {
    for (const row of rows) {
      if (!row.ok && unpaidRules.some((rule) => rule === row.shop && rule !== 'chain')) {
        row.follows = true;
        row.note = 'Follows from the rule about the chain: the delivery says nothing of this.';
      }
    }
  }
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

async function untilPaid(orders: ShopOrders, order: TestOrder, sending: Sending): Promise<number> {
  const { clock = systemClock, signal } = sending;
  const until = clock.monotonic() + paidMs;
  for (;;) {
    const paid = await orders.timesPaid(order);
    if (paid > 0 || clock.monotonic() > until) {
      return paid;
    }
    await clock.sleep(pollMs, signal);
  }
}
