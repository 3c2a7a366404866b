import { readFile } from 'node:fs/promises';
import { parseOrders } from '../toolkit/webhook/orders/parseOrders';
import type { Order } from '../toolkit/webhook/orders/parseOrders';
import { fileError } from './fileError';
import { writeNote } from './output';
import { pathHere } from './surroundings';

/**
 * The orders of `--orders`; what is suspicious in them is noted.
 * @param coin another name of the native coin
 * @throws WorkbenchError `orders-unreadable`, `orders-invalid` (input)
 */
export async function readOrdersFile(file: string, coin: string | undefined): Promise<Order[]> {
  let text: string;
  try {
    text = await readFile(pathHere(file), 'utf8');
  } catch (cause) {
    const hint = 'Give a JSON file with an array of orders.';
    throw fileError({ path: file, what: 'The orders file', code: 'orders-unreadable', hint }, cause);
  }
  const { orders, warnings } = parseOrders(text, coin);
  warnings.forEach(writeNote);
  return orders;
}
