import type { Order } from '../orders/parseOrders';
import type { FieldValues } from '../payload/samplePayload';

/** The fields of a payload that pays an order. */
export function orderFields(order: Order): FieldValues {
  const { reference, amount, rawAmount, asset, recipient } = order;
  return {
    reference,
    asset,
    ...(amount === undefined ? {} : { amount }),
    ...(rawAmount === undefined ? {} : { rawAmount }),
    ...(recipient === undefined ? {} : { recipientAddr: recipient }),
  };
}

/** An order as short text: `order-1, 10.5 TON`. */
export function describeOrder({ reference, amount, rawAmount, asset }: Order): string {
  const name = asset.length <= 12 ? asset : 'of a jetton';
  return `${reference}, ${amount ?? `${rawAmount ?? '?'} base units`} ${name}`;
}
