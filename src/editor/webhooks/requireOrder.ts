import type { WebhookRow } from '../../commandTargets';
import { WorkbenchError } from '../../toolkit/errors';
import type { Order } from '../../toolkit/webhook/orders/parseOrders';
import type { WebhookServices } from './webhookServices';

/**
 * The order of the orders file or of the payment API with this reference, or of this row.
 * @throws WorkbenchError `order-gone` (input)
 */
export async function requireOrder(
  { webhooks }: WebhookServices,
  given: string | WebhookRow,
): Promise<Order> {
  const reference = typeof given === 'string' ? given : (given.order?.reference ?? '');
  const { orders = [], problem } = await webhooks.orders.read();
  const order = [...orders, ...webhooks.orders.expected].find((one) => one.reference === reference);
  if (order !== undefined) {
    return order;
  }
  throw new WorkbenchError({
    code: 'order-gone',
    kind: 'input',
    message: problem ?? `The orders file has no order ${JSON.stringify(reference)}.`,
    hint:
      problem === undefined
        ? 'Save the file; it is read in trusted workspaces only.'
        : 'Correct the orders file and save it.',
  });
}
