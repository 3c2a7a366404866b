import * as vscode from 'vscode';
import type { TestWebhook } from '../../commandTargets';
import type { WebhookProvider } from '../../toolkit/webhook/provider/webhookProvider';
import type { Scenario, ScenarioName } from '../../toolkit/webhook/send/scenarios';
import type { SendResult } from '../../toolkit/webhook/send/sendScenario';
import { orderFields } from '../../toolkit/webhook/views/orderFields';
import {
  describeProgress,
  describeSend,
  sendStanding,
  sentScenario,
  summarizeSend,
} from '../../toolkit/webhook/views/sentNodes';
import { withProgress } from '../ui/withProgress';
import { askTestPayload } from './askTestPayload';
import type { WebhookEndpoint } from './endpointTests';
import { askEndpoint, listenerEndpoint, shortUrl, tellQuietly } from './endpointTests';
import type { WebhookServices } from './listenerCommands';
import { requireOrder } from './listenerCommands';
import { askSigningSecret } from './secretCommands';
import { listenedService } from './listenedService';
import { readWebhookSettings } from './webhookSettings';

/** TON: Send Test Webhook…: scenario, receiver, secret, payload; then signs and delivers it as the service does. */
export async function sendTestCommand(services: WebhookServices, given: TestWebhook = {}): Promise<void> {
  const { findScenario, sendScenario } = await import('../../toolkit/webhook/send/sendScenario');
  const provider = await listenedService();
  const name = given.scenario ?? (await askScenario(services, provider));
  if (name === undefined) {
    return;
  }
  const scenario = findScenario(name, provider);
  const title = `TON: Send Test Webhook, ${scenario.name}`;
  if (given.order !== undefined) {
    await sendForOrder(services, provider, scenario, title, given.order);
    return;
  }
  const endpoint = await endpointOf(services, title, given.url);
  const secret = endpoint && (await askSigningSecret(services, title, provider));
  const test = secret && (await askTestPayload(services, title, provider));
  if (endpoint === undefined || secret === undefined || test === undefined) {
    return;
  }
  const result = await withProgress(
    `Webhook "${scenario.name}" to ${shortUrl(endpoint.url)}`,
    (signal, report) =>
      sendScenario({
        ...test,
        provider,
        url: endpoint.url,
        scenario: scenario.name,
        secret: secret.value,
        coin: readWebhookSettings().coin,
        signal,
        onAttempt: (attempt, waitMs) => report(describeProgress(attempt, waitMs)),
      }),
  );
  await tell(services, result, endpoint, scenario.title);
}

/** Pays an order with a made-up transfer, to this window's listener: nothing is left to ask. */
async function sendForOrder(
  services: WebhookServices,
  provider: WebhookProvider,
  { name, title }: Scenario,
  asked: string,
  reference: string,
): Promise<void> {
  const { sendScenario } = await import('../../toolkit/webhook/send/sendScenario');
  const order = await requireOrder(services, reference);
  const endpoint = await listenerEndpoint(services);
  const secret = await askSigningSecret(services, asked, provider);
  if (secret !== undefined) {
    const { coin } = readWebhookSettings();
    const result = await withProgress(`Webhook "${name}" for ${reference}`, (signal, report) =>
      sendScenario({
        url: endpoint.url,
        provider,
        scenario: name,
        secret: secret.value,
        fields: orderFields(order),
        coin,
        signal,
        onAttempt: (attempt, waitMs) => report(describeProgress(attempt, waitMs)),
      }),
    );
    await tell(services, result, endpoint, title);
  }
}

async function endpointOf(
  services: WebhookServices,
  title: string,
  given: string | undefined,
): Promise<WebhookEndpoint | undefined> {
  if (given === undefined) {
    return askEndpoint(services, title, { listener: true });
  }
  const { parseEndpoint } = await import('../../toolkit/webhook/send/parseEndpoint');
  return { url: parseEndpoint(given), isListener: false };
}

async function askScenario(
  { webhooks }: WebhookServices,
  provider: WebhookProvider,
): Promise<ScenarioName | undefined> {
  const { scenariosOf } = await import('../../toolkit/webhook/send/scenariosOf');
  const state = webhooks.state();
  // A start makes a secret.
  const scenarios = scenariosOf(
    provider,
    state.kind !== 'running' || state.hasSecret || !provider.isSecretOptional,
  );
  const picked = await vscode.window.showQuickPick(
    scenarios.map(({ name, title, expected }) => ({
      label: name,
      description: title,
      detail: `your server should answer ${expected}`,
      name,
    })),
    {
      title: 'TON: Send Test Webhook',
      placeHolder: `Choose what to send, as ${provider.title} does`,
      matchOnDescription: true,
      ignoreFocusOut: true,
    },
  );
  return picked?.name;
}

/** Leaves a row; unobtrusive if all is well and the listener has it anyway, else with the attempts behind a button. */
async function tell(
  services: WebhookServices,
  result: SendResult,
  { isListener }: WebhookEndpoint,
  title: string,
): Promise<void> {
  const text = summarizeSend(result);
  if (!isListener) {
    services.sent.add(sentScenario(result));
  }
  const isGood = sendStanding(result) === 'good';
  if (isGood && isListener) {
    tellQuietly(text);
    return;
  }
  const show = 'Show Attempts';
  const answer = isGood
    ? await vscode.window.showInformationMessage(text, show)
    : await vscode.window.showWarningMessage(text, show);
  if (answer === show) {
    await services.documents.show(
      `webhook-test/${encodeURIComponent(result.reference)}/test ${result.scenario}`,
      { text: describeSend(result, title), lenses: [] },
      { language: 'ton-report' },
    );
  }
}
