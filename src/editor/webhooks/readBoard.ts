import type { PaymentBoard } from '../../toolkit/webhook/board/paymentBoard';
import type { Delivery } from '../../toolkit/webhook/delivery/delivery';
import type { WebhookInbox } from '../../toolkit/webhook/journal/openKeptInbox';
import type { OrderStatus } from '../../toolkit/webhook/orders/orderBook';
import type { DeliveryFilter } from './deliveryFilter';
import type { WebhookServices } from './webhookServices';
import type { Webhooks } from './webhooks';
import { readWebhookSettings } from './webhookSettings';

/** What the view shows of the board. */
export interface BoardReading {
  board: PaymentBoard;
  /** Number of matching deliveries. */
  total: number;
  /** Matching deliveries and orders that are on later pages. */
  left: number;
}

/**
 * Sorts the newest deliveries by order. With a filter, only what matches is shown; the states of an order follow from
 * all of its deliveries.
 *
 * @param limit maximum deliveries, and maximum orders
 */
export async function readBoard(
  { webhooks }: WebhookServices,
  inbox: WebhookInbox,
  filter: Pick<DeliveryFilter, 'query' | 'isActive'>,
  limit: number,
): Promise<BoardReading> {
  const { paymentBoard } = await import('../../toolkit/webhook/board/paymentBoard');
  const { filteredBoard } = await import('../../toolkit/webhook/board/filteredBoard');
  const query = filter.query();
  const isFiltered = filter.isActive();
  const [newest, found, orders] = await Promise.all([
    inbox.deliveries({ limit }),
    isFiltered ? inbox.deliveries({ ...query, limit }) : null,
    ordersOf(webhooks, inbox),
  ]);
  const matching = found ?? newest;
  const whole = paymentBoard({
    orders,
    deliveries: byId([...matching.items, ...newest.items]),
    chain: webhooks.chain.all(),
    forwards: readWebhookSettings().forward !== undefined,
  });
  const board = isFiltered ? filteredBoard(whole, matching.items, query) : whole;
  const hidden = Math.max(0, board.orders.length - limit);
  return {
    board: { ...board, orders: board.orders.slice(0, limit) },
    total: matching.total,
    left: matching.total - matching.items.length + hidden,
  };
}

/** Without a file, every reference that was paid would be an order: only what the payment API expects is one. */
async function ordersOf({ orders }: Webhooks, inbox: WebhookInbox): Promise<OrderStatus[]> {
  const known = await inbox.orders();
  if (orders.last().file !== undefined) {
    return known;
  }
  const byReference = new Map(known.map((status) => [status.reference, status]));
  const open = { state: 'open', txHash: null, traceId: null, time: null, deliveryId: null } as const;
  return orders.expected.map((order) => ({ ...open, ...byReference.get(order.reference), ...order }));
}

/** Without repetitions, newest first. */
function byId(deliveries: readonly Delivery[]): Delivery[] {
  const all = [...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values()];
  return all.toSorted(
    (one, other) => other.receivedAt.localeCompare(one.receivedAt) || other.id.localeCompare(one.id),
  );
}
