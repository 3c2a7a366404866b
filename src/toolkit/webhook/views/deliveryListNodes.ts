import type { AttemptNumber } from '../board/attemptNumbers';
import type { Delivery } from '../delivery/delivery';
import { deliveryParts } from './deliveryRow';
import type { WebhookNode } from './webhookNode';
import { groupBy } from '../../groupBy';

/**
 * The rows of deliveries in order. All deliveries of one run of a test scenario, and all attempts of one delivery,
 * are grouped below one row, at the place of the first. The row of a test is a success only if each of its deliveries
 * is; that of attempts, if the last one is.
 *
 * @param attempts by delivery
 */
export function deliveryListNodes(
  deliveries: readonly Delivery[],
  attempts: ReadonlyMap<string, AttemptNumber> = new Map(),
): WebhookNode[] {
  const groups = groupBy(deliveries, ({ id, test }) =>
    test === undefined ? `series/${attempts.get(id)?.series ?? id}` : `test/${test.run}`,
  );
  return [...groups].flatMap(([id, group]) => {
    const rows = group.map((delivery) => rowOf(delivery, attempts.get(delivery.id)));
    return rows.length === 1 ? rows : [groupOf(id, rows)];
  });
}

function groupOf(id: string, children: WebhookNode[]): WebhookNode {
  const isTest = id.startsWith('test/');
  const bad = isTest ? children.find(({ standing }) => standing === 'bad') : undefined;
  const shown = bad ?? children[0]!;
  const count = `${children.length} ${isTest ? 'deliveries' : 'attempts'}`;
  return {
    ...shown,
    id,
    description: `${count}   ${shown.description}`,
    tooltip: `${shown.tooltip ?? ''}\n${count} of one ${isTest ? 'test' : 'delivery'}`,
    spoken: `${shown.spoken ?? ''}, ${count} of one ${isTest ? 'test' : 'delivery'}`,
    children,
  };
}

function rowOf(delivery: Delivery, number: AttemptNumber | undefined): WebhookNode {
  const { ok, symbol, time, text, answer, forwarded } = deliveryParts(delivery);
  const attempt = number === undefined ? '' : `attempt ${number.attempt} of ${number.of}`;
  const description = [attempt, time, answer, forwarded].filter((part) => part !== '').join('   ');
  return {
    id: delivery.id,
    label: text,
    description,
    standing: ok ? 'good' : delivery.verdict === 'on-purpose' ? 'warning' : 'bad',
    tooltip: tooltip(delivery, `${symbol} ${text}\n${description}`),
    spoken: `${delivery.verdict}, ${text}, ${description}`,
    contextValue: delivery.payment === null ? 'delivery' : 'delivery-paid',
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
