import type { CommandId } from '../../commandArguments';

/** The commands of this feature: registered with the window, loaded on first use. */
export const webhookCommandIds = [
  'tonWorkbench.startWebhooks',
  'tonWorkbench.stopWebhooks',
  'tonWorkbench.copyWebhookUrl',
  'tonWorkbench.allowWebhookHost',
  'tonWorkbench.forwardWebhooks',
  'tonWorkbench.addWebhookSecret',
  'tonWorkbench.rotateWebhookSecret',
  'tonWorkbench.removeWebhookSecret',
  'tonWorkbench.copyWebhookSecret',
  'tonWorkbench.refuseDeliveries',
  'tonWorkbench.payOrder',
  'tonWorkbench.acceptDeliveries',
  'tonWorkbench.newOrdersFile',
  'tonWorkbench.sendTestWebhook',
  'tonWorkbench.checkWebhookEndpoint',
  'tonWorkbench.openDelivery',
  'tonWorkbench.resendDelivery',
  'tonWorkbench.resendDeliveryTo',
  'tonWorkbench.editDelivery',
  'tonWorkbench.sendEditedDelivery',
  'tonWorkbench.cancelEditedDelivery',
  'tonWorkbench.copyDeliveryAsCurl',
  'tonWorkbench.copyDeliveryValue',
  'tonWorkbench.checkDeliveryOnChain',
  'tonWorkbench.showDeliveryTrace',
  'tonWorkbench.debugDelivery',
  'tonWorkbench.searchDeliveries',
  'tonWorkbench.filterDeliveries',
  'tonWorkbench.clearDeliveryFilter',
  'tonWorkbench.clearDeliveries',
  'tonWorkbench.exportDeliveries',
  'tonWorkbench.showOlderDeliveries',
] as const satisfies readonly CommandId[];

export type WebhookCommandId = (typeof webhookCommandIds)[number];
