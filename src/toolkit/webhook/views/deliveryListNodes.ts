import type { Delivery } from '../delivery/delivery';
import { deliveryParts } from './deliveryRow';
import type { WebhookNode } from './webhookNode';

/**
 * The rows of deliveries in order. All deliveries of one run of a test scenario, retries included, are
 * grouped below one row, at the place of the first; that row is a success only if each of them is.
 */
export function deliveryListNodes(deliveries: readonly Delivery[]): WebhookNode[] {
  const groups = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const key = delivery.test === undefined ? delivery.id : `test/${delivery.test.run}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [delivery]);
    } else {
      group.push(delivery);
    }
  }
  return [...groups].flatMap(([id, group]) => (group.length === 1 ? group.map(rowOf) : [groupOf(id, group)]));
}

function groupOf(id: string, group: readonly Delivery[]): WebhookNode {
  const children = group.map(rowOf);
  const shown = children.find(({ standing }) => standing === 'bad') ?? children[0]!;
  const description = `${group.length} deliveries   ${shown.description}`;
  return {
    ...shown,
    id,
    description,
    tooltip: `${shown.tooltip ?? ''}\n${group.length} deliveries of one test`,
    spoken: `${shown.spoken ?? ''}, ${group.length} deliveries of one test`,
    children,
  };
}

function rowOf(delivery: Delivery): WebhookNode {
  const { ok, symbol, time, text, answer, forwarded } = deliveryParts(delivery);
  const description = [time, answer, forwarded].filter((part) => part !== '').join('   ');
  return {
    id: delivery.id,
    label: text,
    description,
    standing: ok ? 'good' : 'bad',
    tooltip: tooltip(delivery, `${symbol} ${text}\n${description}`),
    spoken: `${delivery.verdict}, ${text}, at ${description}`,
    contextValue: 'delivery',
    delivery,
    action: 'openDelivery',
    children: 'delivery',
  };
}

function tooltip(delivery: Delivery, text: string): string {
  return [
    text,
    delivery.reference === null ? '' : `reference ${delivery.reference.slice(0, 200)}`,
    `${delivery.receivedAt} (UTC)`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}
