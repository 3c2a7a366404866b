import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Redactor } from '../../toolkit/base/log';
import type { WebhookNode } from '../../toolkit/webhook/views/deliveryNodes';
import type { TraceServices } from '../traces/liveTraces';
import { afterStart } from '../ui/afterStart';
import { LensChanges } from '../ui/readOnlyDocuments';
import { LazyTree, registerLazyCommands } from '../ui/registerCommands';
import { hadListenerKey, webhookCommandIds } from './webhookCommandIds';
import type { WebhookFeature } from './webhookFeature';

/** The registered feature, which must be closed before the window goes away. */
export interface RegisteredWebhooks extends vscode.Disposable {
  /** Loads the feature. */
  use(): Promise<Pick<WebhookFeature, 'services'>>;
  /** Stops the listener; acknowledged deliveries are synced to disk first. */
  close(): Promise<void>;
}

/**
 * Payment webhooks: registers an empty view and the command names; everything else is loaded by the first command.
 */
export function registerWebhooks(services: TraceServices, redactor: Redactor): RegisteredWebhooks {
  const tree = new LazyTree<WebhookNode>('webhooks', services.log);
  let loading: Promise<WebhookFeature> | undefined;
  const load = (): Promise<WebhookFeature> => {
    loading ??= import('./webhookFeature').then(({ WebhookFeature }) => {
      const feature = new WebhookFeature(services, redactor, tree);
      feature.webhooks.onDidChange(() => lenses.fire());
      return feature;
    });
    return loading;
  };
  const start = (): void => {
    if (readSetting(vscode.workspace, 'tonWorkbench.startWithWindow').webhooks) {
      load()
        .then(({ webhooks }) => webhooks.ensureRunning())
        .catch(async (error: unknown) => (await import('../ui/showError')).showError(error, services.log));
    }
  };
  // After a reload, the deliveries are still there; nothing is loaded where no listener has ever run.
  const showKept = (): void => {
    if (tree.view.visible && services.context.workspaceState.get(hadListenerKey) === true) {
      load()
        .then(({ webhooks }) => webhooks.showKept())
        .catch((error: unknown) => services.log.error('The kept deliveries cannot be shown', error));
    }
  };
  const lenses = new LensChanges();
  const lensesOf = async (document: vscode.TextDocument): Promise<vscode.CodeLens[]> => {
    if (
      !document.uri.path.endsWith(`/${readSetting(vscode.workspace, 'tonWorkbench.webhooks.ordersFile')}`)
    ) {
      return [];
    }
    const isFirst = loading === undefined;
    const { services: own, webhooks } = await load();
    if (isFirst) {
      await webhooks.showKept();
    }
    const { orderLenses } = await import('./orderLenses');
    return orderLenses(own, document);
  };
  const parts = vscode.Disposable.from(
    tree,
    afterStart(start),
    afterStart(showKept),
    lenses,
    vscode.languages.registerCodeLensProvider([{ language: 'json' }, { language: 'jsonc' }], {
      onDidChangeCodeLenses: lenses.event,
      provideCodeLenses: lensesOf,
    }),
    tree.view.onDidChangeVisibility(showKept),
    registerLazyCommands(services.log, webhookCommandIds, load),
  );
  return {
    use: load,
    close: async () => (await loading)?.close(),
    dispose: () => void parts.dispose(),
  };
}
