import type { Delivery } from '../delivery/delivery';
import { matchesQuery } from '../journal/deliveryQuery';
import type { WebhookListener } from './startWebhookListener';
import { limits } from '../../limits';

/** What the view and the commands on its rows can read, whether or not the listener is running. */
export type WebhookInbox = Pick<WebhookListener, 'deliveries' | 'delivery' | 'orders' | 'problems'> & {
  /** Deliveries kept. */
  count: number;
};

/**
 * Keeps the deliveries of a listener that is about to stop: their summaries in memory; headers and bytes are
 * read from the journal, which stays on disk.
 */
export async function keepInbox(listener: WebhookListener, journalDirectory: string): Promise<WebhookInbox> {
  const [{ items }, orders] = await Promise.all([
    listener.deliveries({ limit: limits.webhookDeliveries.most }),
    listener.orders(),
  ]);
  // If the application's answer is still missing when the listener stops, it will never come.
  const kept = items.map((delivery): Delivery => ({ ...delivery, forwarding: false }));
  return {
    count: kept.length,
    problems: listener.problems,
    orders: () => Promise.resolve(orders),
    deliveries: ({ limit = kept.length, ...query } = {}) => {
      const matching = kept.filter((delivery) =>
        matchesQuery({ verdict: delivery.verdict, json: JSON.stringify(delivery) }, query),
      );
      return Promise.resolve({ items: matching.slice(0, limit), total: matching.length });
    },
    delivery: async (id) => {
      const { readKeptDelivery } = await import('../journal/readKeptDelivery');
      return kept.some((delivery) => delivery.id === id) ? readKeptDelivery(journalDirectory, id) : undefined;
    },
  };
}
