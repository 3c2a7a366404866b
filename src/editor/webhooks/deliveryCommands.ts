import * as vscode from 'vscode';
import type { WebhookRow } from '../../commandTargets';
import { asCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/errors';
import type { FullDelivery } from '../../toolkit/webhook/delivery/delivery';
import { accountName } from '../accounts/knownAccounts';
import type { WebhookServices } from './webhookServices';
import { requireInbox } from './listenerCommands';
import { shortenMiddle } from '../../toolkit/text';

/** A delivery by id, or a row that represents it, belongs to it, or leads to it. */
export type GivenDelivery = string | WebhookRow;

function deliveryId(given: GivenDelivery): string | undefined {
  return typeof given === 'string' ? given : (given.delivery?.id ?? given.order?.deliveryId ?? undefined);
}

/**
 * The complete delivery of a row or id.
 * @throws WorkbenchError `delivery-gone`, `webhooks-stopped` (input)
 */
export async function requireDelivery(services: WebhookServices, item: GivenDelivery): Promise<FullDelivery> {
  const id = deliveryId(item);
  const delivery = id === undefined ? undefined : await requireInbox(services).delivery(id);
  if (delivery === undefined) {
    throw new WorkbenchError({
      code: 'delivery-gone',
      kind: 'input',
      message: 'This delivery is no longer available.',
      hint: 'The oldest deliveries are removed to make room for new ones.',
    });
  }
  return delivery;
}

/** Opens a delivery as a document: verdict, evidence, payload, headers, raw bytes. */
export async function openDelivery(services: WebhookServices, item: GivenDelivery): Promise<void> {
  const { describeDelivery } = await import('../../toolkit/webhook/views/describeDelivery');
  const delivery = await requireDelivery(services, item);
  const { id } = delivery;
  await services.documents.show(
    `webhook/${id}/${deliveryTitle(delivery)}`,
    {
      text: describeDelivery(delivery, accountName(services)),
      lenses: [
        asCommand('tonWorkbench.resendDelivery', '$(debug-rerun) Resend', id),
        asCommand('tonWorkbench.editDelivery', '$(edit) Edit and resend', id),
        asCommand('tonWorkbench.copyDeliveryAsCurl', '$(copy) Copy as curl', id),
        ...(delivery.payment === null
          ? []
          : [
              asCommand('tonWorkbench.showDeliveryTrace', '$(type-hierarchy) Trace', id),
              asCommand('tonWorkbench.checkDeliveryOnChain', '$(globe) Check against the chain', id),
              asCommand('tonWorkbench.debugDelivery', '$(debug-alt) Debug', id),
            ]),
      ],
    },
    { language: 'ton-report', preview: true },
  );
}

/** `accepted 8f3c01…d201`: the tab of a delivery. */
export function deliveryTitle({ verdict, reference, id }: FullDelivery): string {
  const name = (reference ?? id).replace(/[^\w.-]+/g, ' ').trim();
  return `${verdict} ${shortenMiddle(name)}`;
}

/** Copies a delivery as a curl command: the same bytes and headers. */
export async function copyDeliveryAsCurl(services: WebhookServices, item: GivenDelivery): Promise<void> {
  const { toCurl } = await import('../../toolkit/webhook/views/toCurl');
  await vscode.env.clipboard.writeText(toCurl(await requireDelivery(services, item)));
  void vscode.window.setStatusBarMessage('Copied the delivery as a curl command', 4000);
}

/** Copies the full value of a row. */
export async function copyDeliveryValue({ label, value }: WebhookRow): Promise<void> {
  if (value !== undefined) {
    await vscode.env.clipboard.writeText(value);
    void vscode.window.setStatusBarMessage(`Copied ${label}`, 4000);
  }
}
