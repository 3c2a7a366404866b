import * as vscode from 'vscode';
import type { Verdict } from '../../toolkit/webhook/delivery/delivery';
import type { WebhookServices } from './webhookServices';
import { withProgress } from '../ui/withProgress';
import type { DeliveryFilter } from './deliveryFilter';
import { requireInbox } from './listenerCommands';

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
