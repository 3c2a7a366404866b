import * as vscode from 'vscode';
import type { TransferPayload } from '../../toolkit/webhook/payload/payload';
import { visibleText } from '../../toolkit/text';
import { accountWord } from '../accounts/accountWord';
import type { WebhookServices } from './webhookServices';
import { withProgress } from '../ui/withProgress';
import { recentTransfers } from './recentTransfers';
import { clockTime } from '../../toolkit/clockTime';

/**
 * Lets the user pick a transfer that happened on the local network, as the payload that the service would send for
 * it.
 * @returns undefined if the user canceled or there is none
 */
export async function askLocalTransfer(
  services: WebhookServices,
  reference: string,
): Promise<TransferPayload | undefined> {
  const { transferPayload } = await import('../../toolkit/webhook/payload/transferPayload');
  const { assetName } = await import('../../toolkit/webhook/values/asset');
  const transfers = await withProgress('Reading the transfers of the local network', (signal) =>
    recentTransfers(services, signal),
  );
  if (transfers.length === 0) {
    void vscode.window.showInformationMessage('There are no transfers on the local network yet.');
    return undefined;
  }
  const names = accountWord(services, services.networks.local());
  const picked = await vscode.window.showQuickPick(
    transfers.map((transfer) => ({
      label: `${transfer.success ? '$(pass)' : '$(error)'} ${transfer.amount} ${assetName(transfer.asset, transfer.ticker)}`,
      description: `${names(transfer.sender)} → ${names(transfer.recipient)}`,
      detail: [
        clockTime(transfer.time),
        transfer.success ? 'succeeded' : 'failed',
        ...(transfer.comment === undefined ? [] : [`"${visibleText(transfer.comment, 60)}"`]),
      ].join(', '),
      transfer,
    })),
    {
      title: 'TON: A Transfer on the Local Network',
      placeHolder: 'Choose the transfer to send a webhook for',
      matchOnDescription: true,
      matchOnDetail: true,
      ignoreFocusOut: true,
    },
  );
  return picked && transferPayload(picked.transfer, { reference });
}
