import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import { orderPlaces } from '../../toolkit/webhook/orders/orderPlaces';
import { orderSymbol } from '../../toolkit/webhook/views/boardNodes';
import { readBoard } from './listCommands';
import { listenedService } from './listenedService';
import type { WebhookServices } from './listenerCommands';

/** Maximum orders of a file with a lens. */
const maximum = 500;

/** Characters of where an order stands; its hover has all of them. */
const longest = 60;

const unfiltered = { query: () => ({}), isActive: () => false };

/** Above each order in the orders file: where it stands, then ways to pay it. */
export async function orderLenses(
  services: WebhookServices,
  document: vscode.TextDocument,
): Promise<vscode.CodeLens[]> {
  const place = await services.webhooks.orders.locate();
  if (place?.file.toString() !== document.uri.toString() || !vscode.workspace.isTrusted) {
    return [];
  }
  // A service whose deliveries name no order can be paid on the local network only.
  const { carries } = await listenedService().catch(() => ({ carries: [] as readonly string[] }));
  const namesOrders = carries.includes('reference');
  const inbox = services.webhooks.inbox();
  const { problem } = services.webhooks.orders.last();
  const unknownTitle = problem === undefined ? '○ open' : '✗ the orders file cannot be used';
  const board = inbox && (await readBoard(services, inbox, unfiltered, maximum)).board;
  return orderPlaces(document.getText())
    .slice(0, maximum)
    .flatMap(({ reference, offset }) => {
      const at = document.positionAt(offset);
      const row = board?.orders.find(({ order }) => order.reference === reference);
      const lens = (command: vscode.Command): vscode.CodeLens =>
        new vscode.CodeLens(new vscode.Range(at, at), command);
      return [
        lens({
          command: 'tonWorkbench.webhooks.focus',
          title: row === undefined ? unknownTitle : `${orderSymbol(row)} ${start(row.summary)}`,
          tooltip: row?.summary ?? problem,
        }),
        ...(namesOrders ? [lens(sending('Send Payment', 'success', reference))] : []),
        lens(asCommand('tonWorkbench.payOrder', 'Pay on Local…', reference)),
        ...(namesOrders ? [lens(sending('Send Forged', 'wrong-secret', reference))] : []),
      ];
    });
}

/** The beginning of a text: a lens leaves room for those after it. */
function start(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function sending(title: string, scenario: string, order: string): vscode.Command {
  return asCommand('tonWorkbench.sendTestWebhook', title, { scenario, order });
}
