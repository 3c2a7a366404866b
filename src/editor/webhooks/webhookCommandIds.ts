import type { CommandName } from '../ui/registerCommands';

/** The commands of this feature: registered with the window, loaded on first use. */
export const webhookCommandIds = [
  'startWebhooks',
  'stopWebhooks',
  'copyWebhookUrl',
  'allowWebhookHost',
  'forwardWebhooks',
  'webhookSecrets',
  'refuseDeliveries',
  'payOrder',
  'acceptDeliveries',
  'newOrdersFile',
  'sendTestWebhook',
  'checkWebhookEndpoint',
  'copyWebhookFix',
  'chooseWebhookFramework',
  'newWebhookReceiver',
  'openDelivery',
  'resendDelivery',
  'resendDeliveryTo',
  'editDelivery',
  'sendEditedDelivery',
  'cancelEditedDelivery',
  'copyDeliveryAsCurl',
  'copyDeliveryValue',
  'checkDeliveryOnChain',
  'showDeliveryTrace',
  'debugDelivery',
  'searchDeliveries',
  'filterDeliveries',
  'clearDeliveryFilter',
  'clearDeliveries',
  'exportDeliveries',
  'showOlderDeliveries',
] as const satisfies readonly CommandName[];

export type WebhookCommandId = `tonWorkbench.${(typeof webhookCommandIds)[number]}`;

/** In the state of a workspace: whether a listener has been started in it, so that there may be deliveries. */
export const hadListenerKey = 'webhookListenerStarted';
