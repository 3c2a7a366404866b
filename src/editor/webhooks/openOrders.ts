import type { Order } from '../../toolkit/webhook/orders/parseOrders';
import type { WebhookServices } from './webhookServices';

/** The workspace's unpaid orders. */
export async function openOrders({ webhooks }: WebhookServices): Promise<Order[]> {
  const { orders = [] } = await webhooks.orders.read();
  const known = (await webhooks.inbox()?.orders()) ?? [];
  const done = known.filter((order) => order.state === 'paid');
  return orders.filter(({ reference }) => !done.some((order) => order.reference === reference));
}
