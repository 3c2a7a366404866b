import type { PaymentBoard } from '../../toolkit/webhook/board/paymentBoard';
import type { Delivery } from '../../toolkit/webhook/delivery/delivery';
import type { WebhookInbox } from '../../toolkit/webhook/journal/openKeptInbox';
import type { DeliveryFilter } from './deliveryFilter';
import type { WebhookServices } from './webhookServices';
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
  const { tonPay } = await import('../../toolkit/webhook/provider/tonPay');
  const query = filter.query();
  const isFiltered = filter.isActive();
  const [newest, found, orders] = await Promise.all([
    inbox.deliveries({ limit }),
    isFiltered ? inbox.deliveries({ ...query, limit }) : null,
    // Without a file, every reference that was paid would be one.
    webhooks.orders.last().file === undefined ? [] : inbox.orders(),
  ]);
  const matching = found ?? newest;
  const whole = paymentBoard({
    orders,
    deliveries: byId([...matching.items, ...newest.items]),
    chain: webhooks.chain.all(),
    forwards: readWebhookSettings().forward !== undefined,
    policy: tonPay.delivery,
  });
  const board = isFiltered ? filteredBoard(whole, matching.items, query) : whole;
  const hidden = Math.max(0, board.orders.length - limit);
  return {
    board: { ...board, orders: board.orders.slice(0, limit) },
    total: matching.total,
    left: matching.total - matching.items.length + hidden,
  };
}

/** Without repetitions, newest first. */
function byId(deliveries: readonly Delivery[]): Delivery[] {
  const all = [...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values()];
  return all.toSorted(
    (one, other) => other.receivedAt.localeCompare(one.receivedAt) || other.id.localeCompare(one.id),
  );
}
