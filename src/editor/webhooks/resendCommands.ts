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
    tellAttempt(await resendOnce(services, delivery, endpoint), endpoint);
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
