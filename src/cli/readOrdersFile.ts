import { parseOrders } from '../toolkit/webhook/orders/parseOrders';
import type { Order } from '../toolkit/webhook/orders/parseOrders';
import { writeNote } from './output';
import { readGivenText } from './readGivenFile';

/**
 * The orders of `--orders`; what is suspicious in them is noted.
 * @param coin another name of the native coin
 * @throws WorkbenchError `orders-unreadable`, `orders-invalid` (input)
 */
export async function readOrdersFile(file: string, coin: string | undefined): Promise<Order[]> {
  const hint = 'Give a JSON file with an array of orders.';
  const given = { path: file, what: 'The orders file', code: 'orders-unreadable', hint } as const;
  const text = await readGivenText(given, 'ordersFile');
  const { orders, warnings } = parseOrders(text, coin);
  warnings.forEach(writeNote);
  return orders;
}
