import type { Order } from '../../toolkit/webhook/orders/parseOrders';
import type { WebhookServices } from './webhookServices';

/** The workspace's unpaid orders; all orders if the listener is stopped. */
export async function openOrders({ webhooks }: WebhookServices): Promise<Order[]> {
  const { orders = [] } = await webhooks.orders.read();
  const state = webhooks.state();
  if (state.kind !== 'running') {
    return [...orders];
  }
  const done = (await state.listener.orders()).filter((order) => order.state === 'paid');
  return orders.filter(({ reference }) => !done.some((order) => order.reference === reference));
}
