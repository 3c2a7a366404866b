import * as vscode from 'vscode';
import type { WebhookRow } from '../../commandTargets';
import { runCommand } from '../../contributions';
import { systemClock } from '../../toolkit/base/time';
import type { Order } from '../../toolkit/webhook/orders/parseOrders';
import type { HappenedTransfer } from '../../toolkit/webhook/payload/transferPayload';
import { askAccount } from '../project/askAccount';
import { withProgress } from '../ui/withProgress';
import { listenerEndpoint } from './endpointTests';
import type { WebhookServices } from './listenerCommands';
import { recentTransfers, requireOrder } from './listenerCommands';
import { askSigningSecret } from './secretCommands';
import { listenedService } from './listenedService';
import { readWebhookSettings } from './webhookSettings';

/** Milliseconds between looks for a payment that was just sent, and their number. */
const lookMs = 250;
const looks = 12;

/**
 * TON: Pay Order on Local…: a wallet of the local network sends the order's amount in its asset, with the reference as
 * the comment, through the one path that sends; then its webhook is delivered to this window's listener.
 */
export async function payOrder(services: WebhookServices, given: string | WebhookRow): Promise<void> {
  const order = await requireOrder(services, given);
  if (order.isCreated === true) {
    await runCommand(vscode.commands, 'tonWorkbench.payPayment', { payment: { reference: order.reference } });
    return;
  }
  const { coin } = readWebhookSettings();
  const { orderPaymentLine } = await import('../../toolkit/webhook/orders/orderPaymentLine');
  const recipient =
    order.recipient ??
    (await askAccount(services, {
      title: `TON: Pay ${order.reference}`,
      placeholder: 'Choose who gets the payment; the order names nobody',
      local: true,
    }));
  if (recipient === undefined) {
    return;
  }
  const payer = await withProgress('Looking for a wallet that can pay', async (signal) => {
    const { findPayer } = await import('../../toolkit/payments/findPayer');
    const { accounts: wallets } = await services.localNetwork.ensureRunning(signal);
    const access = await services.connections.to(services.networks.local());
    return findPayer({ access, wallets, order, recipient, coin, signal });
  });
  const seen = await transfersOf(services, order);
  const line = orderPaymentLine(order, { ...payer, recipient }, coin);
  await runCommand(vscode.commands, 'tonWorkbench.composeMessage', line);
  const transfer = await newTransfer(services, order, seen);
  if (transfer !== undefined) {
    await deliver(services, order, transfer);
  }
}

async function transfersOf(services: WebhookServices, order: Order): Promise<HappenedTransfer[]> {
  const all = await recentTransfers(services, new AbortController().signal);
  return all.filter(({ comment }) => comment === order.reference);
}

/** The payment once it is in a block; undefined if nothing was sent, or it takes longer. */
async function newTransfer(
  services: WebhookServices,
  order: Order,
  seen: readonly HappenedTransfer[],
): Promise<HappenedTransfer | undefined> {
  for (let look = 0; look < looks; look += 1) {
    const found = (await transfersOf(services, order)).find(
      ({ txHash }) => !seen.some((one) => one.txHash === txHash),
    );
    if (found !== undefined) {
      return found;
    }
    await systemClock.sleep(lookMs);
  }
  return undefined;
}

async function deliver(services: WebhookServices, order: Order, transfer: HappenedTransfer): Promise<void> {
  const { transferPayload } = await import('../../toolkit/webhook/payload/transferPayload');
  const { sendScenario } = await import('../../toolkit/webhook/send/sendScenario');
  const { url } = await listenerEndpoint(services);
  const provider = await listenedService();
  const secret = await askSigningSecret(services, `TON: Webhook of ${order.reference}`, provider);
  if (secret !== undefined) {
    await withProgress(`Delivering the webhook of ${order.reference}`, (signal) =>
      sendScenario({
        url,
        provider,
        scenario: 'success',
        secret: secret.value,
        payload: transferPayload(transfer, { reference: order.reference }),
        lt: transfer.lt,
        coin: readWebhookSettings().coin,
        signal,
      }),
    );
  }
}
