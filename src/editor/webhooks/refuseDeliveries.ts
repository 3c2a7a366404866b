import * as vscode from 'vscode';
import type { Misbehavior } from '../../toolkit/webhook/delivery/onPurpose';
import type { DeliveryPolicy } from '../../toolkit/webhook/provider/provider';
import { askText } from '../ui/askText';
import { problemOf } from './listenerCommands';
import { listenedService } from './webhookService';
import type { WebhookServices } from './webhookServices';

interface Choice extends vscode.QuickPickItem {
  /** Undefined: asked for. */
  behavior: Misbehavior | undefined;
}

const choices = ({ timeoutMs, retryDelaysMs }: DeliveryPolicy): readonly Choice[] => [
  {
    label: '$(error) Answer 500',
    detail: 'As if your application had failed.',
    behavior: { how: 'status', status: 500 },
  },
  {
    label: '$(error) Answer 503',
    detail: 'As if it were being deployed.',
    behavior: { how: 'status', status: 503 },
  },
  {
    label: `$(clock) Answer after ${timeoutMs / 1000 + 2} s`,
    detail: `The service gives up after ${timeoutMs / 1000} s${retryDelaysMs.length === 0 ? '' : ' and sends again'}; the payment counts once.`,
    behavior: { how: 'delay', ms: timeoutMs + 2_000 },
  },
  {
    label: '$(debug-disconnect) Cut the connection',
    detail: 'As if the process had died before it answered.',
    behavior: { how: 'cut' },
  },
  { label: '$(edit) Another status or delay…', detail: 'For example 429 or 3s.', behavior: undefined },
];

/** TON: Refuse Next Deliveries…: makes this window's listener misbehave, to see the sender's retries. */
export async function refuseDeliveries({ webhooks }: WebhookServices): Promise<void> {
  const title = 'TON: Refuse Next Deliveries';
  const { parseMisbehavior, parseRefusedCount, describeMisbehavior } =
    await import('../../toolkit/webhook/delivery/onPurpose');
  const { delivery, secretForm } = await listenedService();
  const attempts = 1 + delivery.retryDelaysMs.length;
  const picked = await vscode.window.showQuickPick(choices(delivery), {
    title,
    placeHolder: `Choose what happens to the next deliveries with a valid ${secretForm.mark}`,
  });
  if (picked === undefined) {
    return;
  }
  let behavior = picked.behavior;
  if (behavior === undefined) {
    const text = await askText({
      title,
      prompt: 'A status from 300 to 599, or the seconds until the answer, such as 3s.',
      placeholder: '429',
      validate: (given) => problemOf(() => parseMisbehavior(given)),
    });
    if (typeof text !== 'string') {
      return;
    }
    behavior = parseMisbehavior(text);
  }
  const question = `How many are ${describeMisbehavior(behavior)}?`;
  const count = await askText({
    title: `${title}: How Many?`,
    prompt:
      attempts === 1
        ? `${question} The service tries each delivery once.`
        : `${question} The service tries each delivery up to ${attempts} times: after ${attempts - 1} refusals, the last attempt is accepted.`,
    placeholder: '3',
    value: '3',
    validate: (given) => problemOf(() => parseRefusedCount(given)),
  });
  if (typeof count === 'string') {
    await webhooks.ensureRunning();
    await webhooks.refuseNext({ behavior, count: parseRefusedCount(count) });
  }
}
