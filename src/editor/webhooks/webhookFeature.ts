import type * as vscode from 'vscode';
import type { Redactor } from '../../toolkit/log';
import type { TraceServices } from '../traces/traceServices';
import type { LazyTree } from '../ui/lazyTree';
import { DeliveryFilter } from './deliveryFilter';
import { EditedDeliveries } from './editedDeliveries';
import { EndpointChecks } from './endpointChecks';
import { followOnLocalChain } from './followOnLocalChain';
import { webhookCommands } from './webhookCommands';
import type { WebhookCommands } from './webhookCommands';
import type { WebhookNode } from '../../toolkit/webhook/views/webhookNode';
import { registerWebhookStatus } from './registerWebhookStatus';
import { registerOrderCompletions } from './registerOrderCompletions';
import { SentTests } from './sentTests';
import { tellForgottenSecrets, tellMadeSecret } from './secretCommands';
import type { WebhookServices } from './webhookServices';
import { WebhookTree } from './webhookTree';
import { registerWebhookView } from './registerWebhookView';
import { Webhooks } from './webhooks';

/** Everything about webhooks, loaded on first use: the listener, its view, its status bar item, and its commands. */
export class WebhookFeature {
  readonly webhooks: Webhooks;
  readonly commands: WebhookCommands;
  readonly services: WebhookServices;
  readonly #parts: vscode.Disposable[];

  constructor(shared: TraceServices, redactor: Redactor, rows: LazyTree<WebhookNode>) {
    this.webhooks = new Webhooks(shared.context, redactor, shared.log);
    const sent = new SentTests(shared.context.workspaceState);
    const services = { ...shared, webhooks: this.webhooks, sent };
    this.services = services;
    const filter = new DeliveryFilter();
    const tree = new WebhookTree(services, filter);
    const edited = new EditedDeliveries(services);
    const checks = new EndpointChecks(services);
    this.commands = webhookCommands({ services, filter, tree, edited, checks });
    this.#parts = [
      sent,
      filter,
      tree,
      edited,
      checks,
      registerWebhookView(services, { view: rows.view, tree, filter }),
      registerWebhookStatus(services),
      followOnLocalChain(services),
      registerOrderCompletions(services),
      this.webhooks.onDidMakeSecret((name) => void tellMadeSecret(services, name)),
      this.webhooks.secrets.onForgotten(() => void tellForgottenSecrets(services)),
    ];
    rows.attach(tree);
  }

  /** Stops the listener; acknowledged deliveries are synced to disk first. */
  async close(): Promise<void> {
    this.#parts.forEach((part) => void part.dispose());
    await this.webhooks.dispose();
  }
}
