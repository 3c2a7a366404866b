import type { Delivery } from '../delivery/delivery';
import type { DeliveryQuery } from '../journal/deliveryStore';
import type { PaymentBoard } from './paymentBoard';

/**
 * The rows of a board that match: deliveries that do, orders with one that does, and, if only a text was searched,
 * orders whose reference contains it. The states of an order stay as they are.
 */
export function filteredBoard(
  board: PaymentBoard,
  matching: readonly Delivery[],
  { text, verdicts }: Pick<DeliveryQuery, 'text' | 'verdicts'>,
): PaymentBoard {
  const ids = new Set(matching.map(({ id }) => id));
  const fits = ({ id }: Delivery): boolean => ids.has(id);
  const named = verdicts === undefined ? text?.toLowerCase() : undefined;
  return {
    ...board,
    orders: board.orders
      .filter(
        ({ order, deliveries }) =>
          deliveries.some(fits) || (named !== undefined && order.reference.toLowerCase().includes(named)),
      )
      .map((row) => ({ ...row, deliveries: row.deliveries.filter(fits) })),
    tests: board.tests.filter(fits),
    others: board.others.filter(fits),
  };
}
