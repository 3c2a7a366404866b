import { groupBy } from '../../base/collections';
import type { Delivery } from '../delivery/delivery';
import type { OrderStatus } from '../orders/orderBook';
import type { ChainSighting } from './chainSighting';
import type { AttemptNumber, OrderProgress } from './orderStates';
import { attemptNumbers, orderStates } from './orderStates';

/** One order, how far its payment has come, and the deliveries that name it. */
export interface BoardOrder extends OrderProgress {
  order: OrderStatus;
  /** Newest first. */
  deliveries: readonly Delivery[];
}

/** The deliveries, by order. */
export interface PaymentBoard {
  /** The orders with the latest news first, then the others as in the file. */
  orders: readonly BoardOrder[];
  /** Test deliveries without an order, newest first. */
  tests: readonly Delivery[];
  /** Other deliveries without an order, newest first. */
  others: readonly Delivery[];
  /** By delivery: which attempt it was, if there were several. */
  attempts: ReadonlyMap<string, AttemptNumber>;
}

export interface PaymentBoardParameters {
  /** The orders of the orders file; none without one. */
  orders: readonly OrderStatus[];
  /** Newest first. */
  deliveries: readonly Delivery[];
  /** By delivery. */
  chain?: ReadonlyMap<string, ChainSighting> | undefined;
  /** Whether deliveries are forwarded to an application. */
  forwards?: boolean | undefined;
}

/**
 * Sorts deliveries by the order that they are about, or claim to be about: a refused one is what explains an unpaid
 * order. Its claim is not verified, so it changes no state of the payment.
 */
export function paymentBoard({
  orders,
  deliveries,
  chain = new Map(),
  forwards = false,
}: PaymentBoardParameters): PaymentBoard {
  const known = new Set(orders.map(({ reference }) => reference));
  const referenceOfBytes = new Map<string, string>();
  for (const delivery of deliveries) {
    const reference = orderNamedBy(delivery);
    if (delivery.bodyHash !== undefined && reference !== undefined && known.has(reference)) {
      referenceOfBytes.set(delivery.bodyHash, reference);
    }
  }
  const byOrder = groupBy(deliveries, (delivery) => {
    const { bodyHash, claimedReference } = delivery;
    const named =
      orderNamedBy(delivery) ??
      (bodyHash === undefined ? undefined : referenceOfBytes.get(bodyHash)) ??
      claimedReference;
    return named !== undefined && known.has(named) ? named : undefined;
  });
  const without = byOrder.get(undefined) ?? [];
  const tests = without.filter(({ test }) => test !== undefined);
  const others = without.filter(({ test }) => test === undefined);
  const attempts = attemptNumbers(deliveries);
  const rows = orders.map((order) => {
    const own = byOrder.get(order.reference) ?? [];
    return { order, deliveries: own, ...orderStates({ order, deliveries: own, chain, forwards, attempts }) };
  });
  return { orders: rows.toSorted(byNews), tests, others, attempts };
}

/** The order that a verified delivery names. */
function orderNamedBy({ reference, orderReference }: Delivery): string | undefined {
  return orderReference ?? reference ?? undefined;
}

function byNews(one: BoardOrder, other: BoardOrder): number {
  return (other.time ?? '').localeCompare(one.time ?? '');
}
