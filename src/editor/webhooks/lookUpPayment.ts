import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import type { ChainReport } from '../../toolkit/webhook/chain/checkAgainstChain';
import type { FullDelivery } from '../../toolkit/webhook/delivery/delivery';
import type { TransferData } from '../../toolkit/webhook/payload/payload';
import type { WebhookServices } from './webhookServices';

/**
 * Compares the payment of a delivery with a network's records, and keeps the result for the board.
 * @param keeps which results are kept; default: all
 * @throws WorkbenchError `payload-not-readable` (input) if the delivery tells of no payment, and the access layer's errors
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
