import * as vscode from 'vscode';
import { asCommand, readSetting } from '../../contributions';
import type { TransferData } from '../../toolkit/webhook/payload/payload';
import type { FullDelivery } from '../../toolkit/webhook/delivery/delivery';
import type { WebhookServices } from './webhookServices';
import { withProgress } from '../ui/withProgress';
import { deliveryTitle, requireDelivery } from './deliveryCommands';
import type { GivenDelivery } from './deliveryCommands';

/** TON: Check Delivery Against the Chain: compares a payment field by field with the chosen network's records. */
export async function checkOnChainCommand(services: WebhookServices, item: GivenDelivery): Promise<void> {
  const { checkAgainstChain } = await import('../../toolkit/webhook/chain/checkAgainstChain');
  const { describeChainReport } = await import('../../toolkit/webhook/chain/describeChainReport');
  const delivery = await requireDelivery(services, item);
  const data = await transferOf(delivery);
  const { name } = services.networks.current();
  const coin = readSetting(vscode.workspace, 'tonWorkbench.coinLabel');
  const report = await withProgress(`Looking up the payment on ${name}`, async (signal) => {
    const { traceSourceOf } = await import('../../toolkit/access/traceSourceOf');
    const { chainOf } = await import('../../toolkit/webhook/chain/chainOf');
    const access = await services.connections.current(signal);
    return checkAgainstChain(data, chainOf(traceSourceOf(access), signal), coin);
  });
  const { chainSighting } = await import('../../toolkit/webhook/board/chainSighting');
  await services.webhooks.chain.set(delivery.id, chainSighting(report, name));
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

async function transferOf({ body, verdict }: FullDelivery): Promise<TransferData> {
  const { parsePayload } = await import('../../toolkit/webhook/payload/payload');
  const parsed = parsePayload(body);
  if (parsed.kind === 'transfer') {
    return parsed.payload.data;
  }
  const { noPaymentError } = await import('../../toolkit/webhook/payload/readTransfers');
  throw noPaymentError(`This delivery (${verdict})`);
}
