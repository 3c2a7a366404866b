import * as vscode from 'vscode';
import { withoutSecret } from '../../toolkit/webhook/views/inboxNodes';
import type { WebhookServices } from './webhookServices';
import type { RunningWebhooks } from './webhooks';

/**
 * The second status bar item, only while the listener runs: port, count, and a warning if it is reachable from
 * outside.
 */
export function registerWebhookStatus({ webhooks }: WebhookServices): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('tonWorkbench.webhooks', vscode.StatusBarAlignment.Left, 49);
  item.name = 'TON Webhooks';
  item.command = 'tonWorkbench.webhooks.focus';
  const update = (): void => {
    const state = webhooks.state();
    if (state.kind !== 'running') {
      item.hide();
      return;
    }
    const { listener, count, exposed, hasSecret } = state;
    item.text = `$(${hasSecret ? 'radio-tower' : 'warning'}) Webhooks ${listener.port}: ${count}`;
    item.backgroundColor = exposed ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.tooltip = tooltip(state);
    item.accessibilityInformation = {
      label: `Webhook listener on port ${listener.port}, ${count} deliveries${exposed ? ', reachable from outside' : ''}`,
      role: 'button',
    };
    item.show();
  };
  update();
  return vscode.Disposable.from(item, webhooks.onDidChange(update));
}

function tooltip(state: RunningWebhooks): vscode.MarkdownString {
  const { address, count, exposed, hasSecret, settings, provider, otherService } = state;
  const text = new vscode.MarkdownString();
  const line = (content: string): void => {
    text.appendText(content);
    text.appendMarkdown('  \n');
  };
  text.appendMarkdown('**TON webhooks**\n\n');
  line(address.local);
  if (address.external !== address.local) {
    line(address.external);
  }
  if (otherService !== undefined) {
    line(`receives from ${otherService}`);
  }
  line(`${count} ${count === 1 ? 'delivery' : 'deliveries'} kept`);
  if (settings.forward !== undefined) {
    line(`forwards ${settings.forward.which} deliveries to ${settings.forward.url}`);
  }
  if (!hasSecret) {
    line(withoutSecret(provider));
  }
  if (exposed) {
    const isOpen = !hasSecret && provider.isSecretOptional;
    line(
      `Reachable from outside this machine: ${isOpen ? 'anyone can send deliveries' : `only deliveries with a valid ${provider.secretForm.mark} are accepted`}.`,
    );
  }
  return text;
}
