import { shortenMiddle, visibleText } from '../../base/text';
import type { Order } from '../orders/parseOrders';
import { fromBaseUnits } from '../values/amount';
import { knownDecimals } from '../values/asset';
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
export function describeOrder(order: Order): string {
  return `${order.reference}, ${orderAmount(order)}`;
}

/** What an order asks for: `10.5 TON`; empty if that is not known. */
export function orderAmount({ amount, rawAmount, asset, decimals }: Partial<Order>): string {
  if (asset === undefined) {
    return '';
  }
  const name =
    asset.length <= 12 ? visibleText(asset, 12) : `of jetton ${shortenMiddle(visibleText(asset, 80))}`;
  const places = decimals ?? knownDecimals(asset);
  const units =
    rawAmount === undefined || places === undefined
      ? `${rawAmount ?? '?'} base units`
      : fromBaseUnits(BigInt(rawAmount), places);
  return `${amount ?? units} ${name}`;
}
