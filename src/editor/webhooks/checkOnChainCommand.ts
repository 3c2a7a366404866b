import { asCommand } from '../../contributions';
import type { WebhookServices } from './webhookServices';
import { withProgress } from '../ui/withProgress';
import { deliveryTitle, requireDelivery } from './deliveryCommands';
import type { GivenDelivery } from './deliveryCommands';
import { lookUpPayment } from './lookUpPayment';

/** TON: Check Delivery Against the Chain: compares a payment field by field with the chosen network's records. */
export async function checkOnChainCommand(services: WebhookServices, item: GivenDelivery): Promise<void> {
  const { describeChainReport } = await import('../../toolkit/webhook/chain/describeChainReport');
  const delivery = await requireDelivery(services, item);
  const { name } = services.networks.current();
  const report = await withProgress(`Looking up the payment on ${name}`, async (signal) =>
    lookUpPayment(services, delivery, { access: await services.connections.current(signal), signal }),
  );
  await services.documents.show(
    `webhook-chain/${delivery.id}/${encodeURIComponent(name)}/chain ${deliveryTitle(delivery)}`,
    {
      text: describeChainReport(report, name),
      lenses: [
        asCommand('tonWorkbench.checkDeliveryOnChain', '$(refresh) Check again', delivery.id),
        asCommand('tonWorkbench.switchNetwork', `$(globe) On ${name}; switch…`),
        asCommand('tonWorkbench.openDelivery', '$(go-to-file) The delivery', delivery.id),
      ],
    },
    { language: 'ton-report' },
  );
}
