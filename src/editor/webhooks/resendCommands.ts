import * as vscode from 'vscode';
import type { Attempt } from '../../toolkit/webhook/send/deliver';
import type { FullDelivery } from '../../toolkit/webhook/delivery/delivery';
import type { WebhookServices } from './webhookServices';
import { withProgress } from '../ui/withProgress';
import { requireDelivery } from './deliveryCommands';
import type { GivenDelivery } from './deliveryCommands';
import { describeAttempt } from '../../toolkit/webhook/views/describeSend';
import { isHttpSuccess } from '../../toolkit/webhook/values/isHttpSuccess';
import { askEndpoint, listenerEndpoint, shortUrl, tellQuietly } from './endpoints';
import type { WebhookEndpoint } from './endpoints';

/** Replaces the bytes as received. */
export interface EditedBody {
  body: Buffer;
  /** Signs the edited bytes. */
  secret: string;
}

/** Sends a delivery again as received: to this window's listener, or with `ask` to any receiver. */
export async function resendCommand(
  services: WebhookServices,
  item: GivenDelivery,
  ask: boolean,
): Promise<void> {
  const delivery = await requireDelivery(services, item);
  const endpoint = ask
    ? await askEndpoint(services, 'TON: Resend Delivery To', { listener: true })
    : await listenerEndpoint(services);
  if (endpoint !== undefined) {
    tellAttempt(await resendOnce(delivery, endpoint), endpoint);
  }
}

/** One attempt, without the service's retries: the user reads the answer. */
export async function resendOnce(
  delivery: FullDelivery,
  { url }: WebhookEndpoint,
  edited?: EditedBody,
): Promise<Attempt> {
  const { resendDelivery } = await import('../../toolkit/webhook/send/resendDelivery');
  const { attempts } = await withProgress(`Resending to ${shortUrl(url)}`, (signal) =>
    resendDelivery(delivery, { url, retries: 0, signal, ...edited }),
  );
  return attempts[0] as Attempt;
}

/** Shows the answer: unobtrusively for our own listener, whose view shows it anyway. */
export function tellAttempt(attempt: Attempt, { url, isListener }: WebhookEndpoint): void {
  const text = `${shortUrl(url)}: ${describeAttempt(attempt)}`;
  if (isListener) {
    tellQuietly(text);
  } else if (attempt.status !== null && isHttpSuccess(attempt.status)) {
    void vscode.window.showInformationMessage(text);
  } else {
    void vscode.window.showWarningMessage(text);
  }
}
