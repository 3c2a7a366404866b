import { joinEntry, splitEntry } from '../../journal/entryBytes';
import type { Delivery, ForwardResult, FullDelivery } from '../delivery/delivery';
import type { HeaderList } from '../delivery/headerList';
import { orderStateOf } from '../orders/orderBook';
import type { OrderState } from '../orders/orderBook';

/** The contents of a journal entry. */
export type DeliveryEntry =
  | { kind: 'delivery'; full: FullDelivery; order: OrderState | null }
  | { kind: 'forwarded'; id: string; forwarded: ForwardResult };

/** What is stored about a request besides its summary. */
export interface KeptRequest {
  headers: HeaderList;
  body: Buffer;
  bodyRedacted: boolean;
}

interface DeliveryHead {
  kind: 'delivery';
  /** The order's new state; the rest of it is in the summary. */
  order: OrderState['state'] | null;
  headers: HeaderList;
  bodyRedacted: boolean;
  /** Bytes of the summary, which follows; the body is the rest. */
  summaryBytes: number;
}

type ForwardedHead = Extract<DeliveryEntry, { kind: 'forwarded' }>;

/** @param summary the {@link Delivery} as JSON: the caller needs it as text too */
export function encodeDelivery(
  summary: string,
  { headers, body, bodyRedacted }: KeptRequest,
  order: OrderState['state'] | null,
): Buffer {
  const json = Buffer.from(summary);
  const head: DeliveryHead = { kind: 'delivery', order, headers, bodyRedacted, summaryBytes: json.length };
  return joinEntry({ head, blobs: [json, body] });
}

export function encodeForwarded(id: string, forwarded: ForwardResult): Buffer {
  const head: ForwardedHead = { kind: 'forwarded', id, forwarded };
  return joinEntry({ head, blobs: [] });
}

/** Throws if the bytes are not an entry of deliveries; the body is a copy. */
export function decodeDeliveryEntry(bytes: Buffer): DeliveryEntry {
  const { head, rest } = splitEntry(bytes);
  const entry = head as Partial<DeliveryHead> | Partial<ForwardedHead> | null;
  if (entry?.kind === 'forwarded' && typeof entry.id === 'string' && entry.forwarded != null) {
    return { kind: 'forwarded', id: entry.id, forwarded: entry.forwarded };
  }
  if (entry?.kind !== 'delivery' || !isHead(entry) || entry.summaryBytes > rest.length) {
    throw new TypeError('this is not a webhook delivery entry');
  }
  const { headers, bodyRedacted, summaryBytes } = entry;
  const delivery = JSON.parse(rest.toString('utf8', 0, summaryBytes)) as Delivery;
  const body = Buffer.from(rest.subarray(summaryBytes));
  const order = orderState(delivery, entry.order);
  return { kind: 'delivery', full: { ...delivery, headers, bodyRedacted, body }, order };
}

function isHead(head: Partial<DeliveryHead>): head is DeliveryHead {
  return (
    Number.isSafeInteger(head.summaryBytes) &&
    (head.order === null || head.order === 'paid' || head.order === 'failed') &&
    Array.isArray(head.headers)
  );
}

function orderState(
  { reference, payment, id }: Delivery,
  state: OrderState['state'] | null,
): OrderState | null {
  return state === null || reference === null ? null : orderStateOf(state, reference, payment, id);
}
