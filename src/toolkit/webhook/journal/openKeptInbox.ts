import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { Delivery, FullDelivery } from '../delivery/delivery';
import type { OrderStatus } from '../orders/orderBook';
import { OrderBook } from '../orders/orderBook';
import type { Order } from '../orders/parseOrders';
import type { DeliveryQuery } from './deliveryStore';
import { matchesQuery } from './deliveryStore';
import { readDeliveries, readKeptDelivery } from './deliveryEntry';

/** What the view and the commands on its rows can read, whether or not a listener is running. */
export interface WebhookInbox {
  /** Deliveries kept. */
  readonly count: number;
  /** Problems of the journal found when the listener opened it, as text. */
  readonly problems: readonly string[];
  /** Newest first. */
  deliveries(query?: DeliveryQuery): Promise<{ items: Delivery[]; total: number }>;
  /** One delivery with its headers and bytes; undefined if it is no longer stored. */
  delivery(id: string): Promise<FullDelivery | undefined>;
  orders(): Promise<OrderStatus[]>;
  /** Undefined: no orders file. */
  setOrders(orders: readonly Order[] | undefined): Promise<void>;
  /** Writes the matching deliveries, oldest first, as JSON lines to a file; resolves with their number. */
  export(file: string, query?: DeliveryQuery): Promise<number>;
}

/**
 * The deliveries in a journal that no listener uses: their summaries in memory, headers and bytes from the files.
 * @throws the errors of readDeliveries
 */
export async function openKeptInbox(
  directory: string,
  orders: readonly Order[] | undefined,
  problems: readonly string[] = [],
): Promise<WebhookInbox> {
  const book = new OrderBook();
  book.setOrders(orders);
  const byId = new Map<string, Delivery>();
  await readDeliveries(directory, {
    onState: (state) => book.apply(state),
    onEntry: (entry) => {
      if (entry.kind === 'forwarded') {
        const delivery = byId.get(entry.id);
        if (delivery !== undefined) {
          byId.set(entry.id, { ...delivery, forwarded: entry.forwarded });
        }
        return;
      }
      const { headers: _headers, body: _body, bodyRedacted: _redacted, ...delivery } = entry.full;
      // If the application's answer is still missing, it will never come.
      byId.set(delivery.id, { ...delivery, forwarding: false });
      if (entry.order !== null) {
        book.apply(entry.order);
      }
    },
  });
  const kept = [...byId.values()].reverse();
  const matching = ({ limit: _limit, before: _before, ...query }: DeliveryQuery): Delivery[] =>
    kept.filter((delivery) =>
      matchesQuery({ verdict: delivery.verdict, json: JSON.stringify(delivery) }, query),
    );
  return {
    count: kept.length,
    problems,
    orders: () => Promise.resolve(book.list()),
    setOrders: (changed) => Promise.resolve(book.setOrders(changed)),
    deliveries: (query = {}) => {
      const found = matching(query);
      return Promise.resolve({ items: found.slice(0, query.limit), total: found.length });
    },
    delivery: async (id) => (byId.has(id) ? readKeptDelivery(directory, id) : undefined),
    export: (file, query = {}) =>
      exportKept(directory, file, new Map(matching(query).map((one) => [one.id, one]))),
  };
}

/** @param wanted the summaries, by id */
async function exportKept(
  directory: string,
  file: string,
  wanted: ReadonlyMap<string, Delivery>,
): Promise<number> {
  const lines: string[] = [];
  await readDeliveries(directory, {
    onEntry: (entry) => {
      const summary = entry.kind === 'delivery' ? wanted.get(entry.full.id) : undefined;
      if (entry.kind === 'delivery' && summary !== undefined) {
        lines.push(exportLine({ ...entry.full, ...summary }));
      }
    },
  });
  const handle = await open(file, 'w', 0o600);
  try {
    for (const line of lines) {
      await handle.write(`${line}\n`);
    }
  } finally {
    await handle.close();
  }
  return lines.length;
}

/** A delivery as one line of JSON: `body` is text if the bytes are UTF-8, `bodyBase64` always has the bytes. */
export function exportLine({ body, ...delivery }: FullDelivery): string {
  return JSON.stringify({
    ...delivery,
    body: isUtf8(body) ? body.toString('utf8') : null,
    bodyBase64: body.toString('base64'),
  });
}
