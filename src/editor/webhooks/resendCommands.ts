import * as vscode from 'vscode';
import type { Attempt } from '../../toolkit/webhook/send/deliver';
import type { FullDelivery } from '../../toolkit/webhook/delivery/delivery';
import type { WebhookServices } from './webhookServices';
import { withProgress } from '../ui/withProgress';
import { requireDelivery } from './deliveryCommands';
import type { GivenDelivery } from './deliveryCommands';
import { describeAttempt } from '../../toolkit/webhook/views/describeSend';
import { sentAgain } from '../../toolkit/webhook/views/sentNodes';
import { deliveryPolicyOf } from '../../toolkit/webhook/provider/deliveryPolicyOf';
import { askEndpoint, listenerEndpoint, shortUrl, tellQuietly } from './endpoints';
import type { WebhookEndpoint } from './endpoints';
import { serviceOfDelivery } from './webhookService';

/** Replaces the bytes as received. */
export interface EditedBody {
  body: Buffer;
  /** Signs the edited bytes. */
  secret: string;
}

/** Sends a delivery again as received, or signed anew if it would not be genuine anymore: to this window's listener, or with `ask` to any receiver. */
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
    tellAttempt(services, delivery, await resendOnce(services, delivery, endpoint), endpoint);
  }
}

/** One attempt, without the service's retries: the user reads the answer. */
export async function resendOnce(
  services: WebhookServices,
  delivery: FullDelivery,
  { url }: WebhookEndpoint,
  edited?: EditedBody,
): Promise<Attempt> {
  const { canReplay, resendDelivery } = await import('../../toolkit/webhook/send/resendDelivery');
  const provider = await serviceOfDelivery(delivery);
  const secret = edited?.secret ?? (canReplay(provider) ? undefined : await secretBehind(services, delivery));
  const { attempts } = await withProgress(`Resending to ${shortUrl(url)}`, (signal) =>
    resendDelivery(delivery, { url, retries: 0, signal, provider, body: edited?.body, secret }),
  );
  return attempts[0] as Attempt;
}

/** The secret that a delivery was signed with; undefined if it was not genuine, or the secret is gone. */
async function secretBehind(
  { webhooks }: WebhookServices,
  { secret: name }: FullDelivery,
): Promise<string | undefined> {
  return (await webhooks.secrets.all()).find((secret) => secret.name === name)?.value;
}

/** Shows the answer: unobtrusively for our own listener, whose view shows it anyway; another's leaves a row. */
export function tellAttempt(
  { sent }: WebhookServices,
  delivery: FullDelivery,
  attempt: Attempt,
  { url, isListener }: WebhookEndpoint,
): void {
  const isDelivered = attempt.status !== null && deliveryPolicyOf(delivery).isDelivered(attempt.status);
  const text = `${shortUrl(url)}: ${describeAttempt(attempt)}`;
  if (isListener) {
    tellQuietly(text);
    return;
  }
  sent.add(
    sentAgain(delivery.orderReference ?? delivery.reference ?? delivery.id, url.href, attempt, isDelivered),
  );
  void (isDelivered ? vscode.window.showInformationMessage(text) : vscode.window.showWarningMessage(text));
}
