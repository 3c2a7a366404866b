import * as vscode from 'vscode';
import { asCommand, readSetting } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import type { ChainReport } from '../../toolkit/webhook/chain/checkAgainstChain';
import type { FullDelivery } from '../../toolkit/webhook/delivery/delivery';
import type { TransferData } from '../../toolkit/webhook/payload/payload';
import type { WebhookServices } from './webhookServices';
import { withProgress } from '../ui/withProgress';
import { deliveryTitle, requireDelivery } from './deliveryCommands';
import type { GivenDelivery } from './deliveryCommands';

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

/**
 * Compares the payment of a delivery with a network's records, and keeps the result for the board.
 * @param keeps which results are kept; default: all
 * @throws WorkbenchError `no-payment` (input) if the delivery tells of no payment, and the access layer's errors
 */
export async function lookUpPayment(
  { webhooks }: Pick<WebhookServices, 'webhooks'>,
  delivery: FullDelivery,
  { access, signal }: { access: Access; signal: AbortSignal },
  keeps = (_report: ChainReport): boolean => true,
): Promise<ChainReport> {
  const [{ checkAgainstChain }, { traceSourceOf }, { chainOf }, { chainSighting }] = await Promise.all([
    import('../../toolkit/webhook/chain/checkAgainstChain'),
    import('../../toolkit/access/traceSourceOf'),
    import('../../toolkit/webhook/chain/chainOf'),
    import('../../toolkit/webhook/board/chainSighting'),
  ]);
  const coin = readSetting(vscode.workspace, 'tonWorkbench.coinLabel');
  const report = await checkAgainstChain(
    await transferOf(delivery),
    chainOf(traceSourceOf(access), signal),
    coin,
  );
  if (keeps(report)) {
    await webhooks.chain.set(delivery.id, chainSighting(report, access.network.name));
  }
  return report;
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
