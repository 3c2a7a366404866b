import * as vscode from 'vscode';
import { WorkbenchError } from '../../toolkit/errors';
import type { WebhookServices } from './webhookServices';

const firstOrders = `{
  "orders": [
    {
      "reference": "order-1",
      "amount": "10.5",
      "asset": "TON"
    }
  ]
}
`;

/** Opens the workspace's orders file, creating one with an example if there is none. */
export async function newOrdersFile({ webhooks }: WebhookServices): Promise<void> {
  const place = await webhooks.orders.locate();
  if (place === undefined) {
    throw new WorkbenchError({
      code: 'no-folder',
      kind: 'input',
      message: 'No folder is open to put an orders file in.',
      hint: 'Open a folder first.',
    });
  }
  if (!place.exists) {
    await vscode.workspace.fs.writeFile(place.file, new TextEncoder().encode(firstOrders));
  }
  await vscode.window.showTextDocument(place.file);
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showWarningMessage(
      'This folder is not trusted, so its orders file is not read: all references are accepted.',
    );
  }
}
