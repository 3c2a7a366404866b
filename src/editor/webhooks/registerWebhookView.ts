import * as vscode from 'vscode';
import type { DeliveryFilter } from './deliveryFilter';
import type { WebhookNode } from '../../toolkit/webhook/views/webhookNode';
import type { WebhookServices } from './webhookServices';
import type { WebhooksState } from './webhooks';
import type { WebhookTree } from './webhookTree';

/** The view with its rows and their filter. */
export interface WebhookViewParts {
  view: vscode.TreeView<WebhookNode>;
  tree: WebhookTree;
  filter: DeliveryFilter;
}

/** Keeps the view's description and rows in step with the listener and the filter. */
export function registerWebhookView(
  { webhooks, sent }: WebhookServices,
  { view, tree, filter }: WebhookViewParts,
): vscode.Disposable {
  const describe = (): void => {
    const state = webhooks.state();
    view.description = describeState(webhooks.state(), webhooks.inbox() !== undefined);
    view.message =
      state.kind === 'failed' ? `The webhook listener is not running: ${state.message}` : undefined;
    tree.refresh();
  };
  describe();
  return vscode.Disposable.from(
    webhooks.onDidChange(describe),
    sent.onDidChange(() => tree.refresh()),
    filter.onDidChange(() => tree.showNewest()),
    tree.onDidCount((matching) => {
      const inbox = webhooks.inbox();
      if (inbox !== undefined && webhooks.state().kind !== 'failed') {
        // A view with only a message offers no way out; without a message, it offers to show all deliveries.
        view.message =
          filter.isActive() && matching > 0
            ? `Shown: ${filter.describe()} (${matching} of ${inbox.count})`
            : undefined;
      }
    }),
  );
}

/** `8787 → app, test secret`, `8787, Bicycle, test token`. */
function describeState(state: WebhooksState, hasInbox: boolean): string {
  if (state.kind === 'running') {
    const { listener, settings, onlyTestSecrets, otherService, provider } = state;
    const target = settings.forward === undefined ? '' : ' → app';
    return [
      `${listener.port}${target}`,
      ...(otherService === undefined ? [] : [otherService]),
      ...(onlyTestSecrets ? [`test ${provider.secretForm.word}`] : []),
    ].join(', ');
  }
  return hasInbox && state.kind === 'stopped' ? 'stopped' : '';
}
