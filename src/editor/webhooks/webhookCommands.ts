import type { CommandHandlers } from '../ui/registerCommands';
import { checkOnChainCommand } from './checkOnChainCommand';
import { copyDeliveryAsCurl, copyDeliveryValue, openDelivery } from './deliveryCommands';
import type { DeliveryFilter } from './deliveryFilter';
import type { EditedDeliveries } from './editedDeliveries';
import type { EndpointChecks } from './endpointChecks';
import { clearDeliveries, exportDeliveries, filterDeliveries, searchDeliveries } from './listCommands';
import { allowWebhookHost, copyWebhookUrl, forwardWebhooks, startWebhooks } from './listenerCommands';
import { copyWebhookFix } from './copyWebhookFix';
import { newOrdersFile } from './newOrdersFile';
import { debugDelivery, showDeliveryTrace } from './paymentTraceCommands';
import { newReceiverCommand } from './newReceiverCommand';
import { payOrder } from './payOrder';
import { refuseDeliveries } from './refuseDeliveries';
import { resendCommand } from './resendCommands';
import {
  addWebhookSecret,
  copyWebhookSecret,
  removeWebhookSecret,
  rotateWebhookSecret,
} from './secretCommands';
import { sendTestCommand } from './sendTestCommand';
import type { WebhookCommandId } from './webhookCommandIds';
import type { WebhookServices } from './webhookServices';
import type { WebhookTree } from './webhookTree';

export type WebhookCommands = Required<Pick<CommandHandlers, WebhookCommandId>>;

/** What the commands need. */
export interface WebhookParts {
  services: WebhookServices;
  filter: DeliveryFilter;
  tree: WebhookTree;
  edited: EditedDeliveries;
  checks: EndpointChecks;
}

/** The implementation of each command. */
export function webhookCommands({ services, filter, tree, edited, checks }: WebhookParts): WebhookCommands {
  return {
    'tonWorkbench.startWebhooks': () => startWebhooks(services),
    'tonWorkbench.stopWebhooks': () => services.webhooks.stop(),
    'tonWorkbench.copyWebhookUrl': () => copyWebhookUrl(services),
    'tonWorkbench.allowWebhookHost': () => allowWebhookHost(services),
    'tonWorkbench.forwardWebhooks': () => forwardWebhooks(services),
    'tonWorkbench.addWebhookSecret': () => addWebhookSecret(services),
    'tonWorkbench.rotateWebhookSecret': () => rotateWebhookSecret(services),
    'tonWorkbench.removeWebhookSecret': () => removeWebhookSecret(services),
    'tonWorkbench.copyWebhookSecret': () => copyWebhookSecret(services),
    'tonWorkbench.refuseDeliveries': () => refuseDeliveries(services),
    'tonWorkbench.payOrder': (order) => payOrder(services, order),
    'tonWorkbench.acceptDeliveries': () => services.webhooks.refuseNext(undefined),
    'tonWorkbench.newOrdersFile': () => newOrdersFile(services),
    'tonWorkbench.sendTestWebhook': (test) => sendTestCommand(services, test),
    'tonWorkbench.checkWebhookEndpoint': (url) => checks.check(url),
    'tonWorkbench.copyWebhookFix': (code) => copyWebhookFix(code),
    'tonWorkbench.chooseWebhookFramework': () => checks.chooseFramework(),
    'tonWorkbench.newWebhookReceiver': () => newReceiverCommand(services),
    'tonWorkbench.openDelivery': (item) => openDelivery(services, item),
    'tonWorkbench.resendDelivery': (item) => resendCommand(services, item, false),
    'tonWorkbench.resendDeliveryTo': (item) => resendCommand(services, item, true),
    'tonWorkbench.editDelivery': (item) => edited.open(item),
    'tonWorkbench.sendEditedDelivery': (name, ask) => edited.send(name, ask === true),
    'tonWorkbench.cancelEditedDelivery': (name) => edited.cancel(name),
    'tonWorkbench.copyDeliveryAsCurl': (item) => copyDeliveryAsCurl(services, item),
    'tonWorkbench.copyDeliveryValue': (item) => copyDeliveryValue(item),
    'tonWorkbench.checkDeliveryOnChain': (item) => checkOnChainCommand(services, item),
    'tonWorkbench.showDeliveryTrace': (item) => showDeliveryTrace(services, item),
    'tonWorkbench.debugDelivery': (item) => debugDelivery(services, item),
    'tonWorkbench.searchDeliveries': () => searchDeliveries(filter),
    'tonWorkbench.filterDeliveries': () => filterDeliveries(filter),
    'tonWorkbench.clearDeliveryFilter': () => filter.clear(),
    'tonWorkbench.clearDeliveries': () => clearDeliveries(services),
    'tonWorkbench.exportDeliveries': () => exportDeliveries(services, filter),
    'tonWorkbench.showOlderDeliveries': () => tree.showOlder(),
  };
}
