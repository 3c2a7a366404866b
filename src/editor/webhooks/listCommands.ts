import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import type { PaymentBoard } from '../../toolkit/webhook/board/paymentBoard';
import type { Delivery, Verdict } from '../../toolkit/webhook/delivery/delivery';
import type { DeliveryQuery } from '../../toolkit/webhook/journal/deliveryStore';
import type { WebhookInbox } from '../../toolkit/webhook/journal/openKeptInbox';
import type { OrderStatus } from '../../toolkit/webhook/orders/orderBook';
import { withProgress } from '../ui/withProgress';
import type { WebhookServices } from './listenerCommands';
import { requireInbox } from './listenerCommands';
import { readWebhookSettings } from './webhookSettings';
import type { Webhooks } from './webhooks';

const meanings: Readonly<Record<Verdict, string>> = {
  accepted: 'a payment for an open order',
  repeat: 'already known, nothing to do',
  'unknown-order': 'no order has its reference',
  mismatch: 'wrong amount, asset, or recipient',
  'transfer-failed': 'the transfer failed',
  'on-purpose': 'refused because you asked for it',
  'unknown-status': 'the status is neither success nor failed',
  'wrong-event': 'not transfer.completed',
  'bad-signature': 'refused: forged, altered, or another secret',
  malformed: 'refused: not in the documented form',
  'too-large': 'refused: over 1 MiB',
};

/** Filters the view by verdict. */
export async function filterDeliveries(filter: DeliveryFilter): Promise<void> {
  const { verdicts } = await import('../../toolkit/webhook/delivery/delivery');
  const chosen = filter.query().verdicts ?? [];
  const picked = await vscode.window.showQuickPick(
    verdicts.map((verdict) => ({
      label: verdict,
      description: meanings[verdict],
      picked: chosen.includes(verdict),
      verdict,
    })),
    { title: 'TON: Filter Deliveries', placeHolder: 'Choose verdicts; none means all', canPickMany: true },
  );
  if (picked !== undefined) {
    filter.setVerdicts(picked.map(({ verdict }) => verdict));
  }
}

/** Filters the view by text. */
export async function searchDeliveries(filter: DeliveryFilter): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: 'TON: Search Deliveries',
    prompt: 'All or part of a reference, address, hash, comment, or reason. Leave empty to show all.',
    value: filter.query().text ?? '',
  });
  if (text !== undefined) {
    filter.setText(text);
  }
}

/** Deletes all deliveries, after confirmation. */
export async function clearDeliveries(services: WebhookServices): Promise<void> {
  const { count } = requireInbox(services);
  const answer = await vscode.window.showWarningMessage(
    `Delete ${count === 1 ? 'the delivery' : `all ${count} deliveries`}?`,
    {
      modal: true,
      detail:
        "An order's state follows from its deliveries, so every order is open again. This cannot be undone.",
    },
    'Delete',
  );
  if (answer === 'Delete') {
    await services.webhooks.clear();
    services.sent.clear();
  }
}

/** Writes the complete deliveries shown in the view as JSON lines. */
export async function exportDeliveries(services: WebhookServices, filter: DeliveryFilter): Promise<void> {
  const inbox = requireInbox(services);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = await vscode.window.showSaveDialog({
    title: 'Export Deliveries',
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, 'deliveries.jsonl') }),
    filters: { 'JSON lines': ['jsonl'] },
  });
  if (file === undefined) {
    return;
  }
  const count = await withProgress('Exporting deliveries', () => inbox.export(file.fsPath, filter.query()));
  const answer = await vscode.window.showInformationMessage(
    `${count} ${count === 1 ? 'delivery' : 'deliveries'} exported. The file contains customer data: keep it private.`,
    'Open',
  );
  if (answer === 'Open') {
    await vscode.window.showTextDocument(file);
  }
}

/** What the view shows of the board. */
interface BoardReading {
  board: PaymentBoard;
  /** Number of matching deliveries. */
  total: number;
  /** Matching deliveries and orders that are on later pages. */
  left: number;
}

/**
 * Sorts the newest deliveries by order. With a filter, only what matches is shown; the states of an order follow from
 * all of its deliveries.
 *
 * @param limit maximum deliveries, and maximum orders
 */
export async function readBoard(
  { webhooks }: WebhookServices,
  inbox: WebhookInbox,
  filter: Pick<DeliveryFilter, 'query' | 'isActive'>,
  limit: number,
): Promise<BoardReading> {
  const { paymentBoard } = await import('../../toolkit/webhook/board/paymentBoard');
  const { filteredBoard } = await import('../../toolkit/webhook/board/filteredBoard');
  const query = filter.query();
  const isFiltered = filter.isActive();
  const [newest, found, orders] = await Promise.all([
    inbox.deliveries({ limit }),
    isFiltered ? inbox.deliveries({ ...query, limit }) : null,
    ordersOf(webhooks, inbox),
  ]);
  const matching = found ?? newest;
  const whole = paymentBoard({
    orders,
    deliveries: byId([...matching.items, ...newest.items]),
    chain: webhooks.chain.all(),
    forwards: readWebhookSettings().forward !== undefined,
  });
  const board = isFiltered ? filteredBoard(whole, matching.items, query) : whole;
  const hidden = Math.max(0, board.orders.length - limit);
  return {
    board: { ...board, orders: board.orders.slice(0, limit) },
    total: matching.total,
    left: matching.total - matching.items.length + hidden,
  };
}

/** Without a file, every reference that was paid would be an order: only what the payment API expects is one. */
async function ordersOf({ orders }: Webhooks, inbox: WebhookInbox): Promise<OrderStatus[]> {
  const known = await inbox.orders();
  if (orders.last().file !== undefined) {
    return known;
  }
  const byReference = new Map(known.map((status) => [status.reference, status]));
  const open = { state: 'open', txHash: null, traceId: null, time: null, deliveryId: null } as const;
  return orders.expected.map((order) => ({ ...open, ...byReference.get(order.reference), ...order }));
}

/** Without repetitions, newest first. */
function byId(deliveries: readonly Delivery[]): Delivery[] {
  const all = [...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values()];
  return all.toSorted(
    (one, other) => other.receivedAt.localeCompare(one.receivedAt) || other.id.localeCompare(one.id),
  );
}

/** Which deliveries the view shows. */
export class DeliveryFilter implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #verdicts: readonly Verdict[] = [];
  #text = '';

  query(): Pick<DeliveryQuery, 'verdicts' | 'text'> {
    return {
      ...(this.#verdicts.length === 0 ? {} : { verdicts: this.#verdicts }),
      ...(this.#text === '' ? {} : { text: this.#text }),
    };
  }

  isActive(): boolean {
    return this.#verdicts.length > 0 || this.#text !== '';
  }

  /** An empty list shows all. */
  setVerdicts(verdicts: readonly Verdict[]): void {
    this.#verdicts = verdicts;
    this.#fire();
  }

  setText(text: string): void {
    this.#text = text.trim();
    this.#fire();
  }

  clear(): void {
    this.#verdicts = [];
    this.#text = '';
    this.#fire();
  }

  /** The filter as text, for the view's description. */
  describe(): string {
    return [...this.#verdicts, ...(this.#text === '' ? [] : [`"${this.#text}"`])].join(', ');
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #fire(): void {
    setContextKey(vscode.commands, 'tonWorkbench.webhooksFiltered', this.isActive());
    this.#changed.fire();
  }
}
