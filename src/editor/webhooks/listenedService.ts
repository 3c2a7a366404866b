import * as vscode from 'vscode';
import { headerNameHint, isHeaderName } from '../../toolkit/webhook/delivery/signature';
import { hmacAlgorithms, hmacEncodings } from '../../toolkit/webhook/provider/hmacSettings';
import type { HmacSettings } from '../../toolkit/webhook/provider/hmacSettings';
import type { WebhookProvider } from '../../toolkit/webhook/provider/webhookProvider';
import type { ProviderChoice } from '../../toolkit/webhook/provider/providerOf';
import { askText } from '../ui/askText';
import type { WebhookServices } from './listenerCommands';
import { readWebhookSettings } from './webhookSettings';

/** In the state of the workspace. */
const key = 'webhookProvider';

/**
 * The service whose deliveries the listener receives, and whose test webhooks are sent.
 * @throws WorkbenchError `provider-unknown`, `hmac-invalid` (input)
 */
export async function listenedService(): Promise<WebhookProvider> {
  const { providerOf } = await import('../../toolkit/webhook/provider/providerOf');
  return providerOf(readWebhookSettings().service);
}

/** The service that a kept delivery came from. */
export async function serviceOfDelivery({ provider: name }: { provider: string }): Promise<WebhookProvider> {
  const { providerNames, providerOf } = await import('../../toolkit/webhook/provider/providerOf');
  const { service } = readWebhookSettings();
  return service.name === name
    ? providerOf(service)
    : providerOf(providerNames.includes(name) ? { name } : undefined);
}

/** The service whose deliveries this workspace's receiver gets: the one last chosen, else the listener's. */
export function chosenService(services: WebhookServices): ProviderChoice {
  return rememberedService(services) ?? readWebhookSettings().service;
}

function rememberedService({ context }: WebhookServices): ProviderChoice | undefined {
  return context.workspaceState.get<ProviderChoice>(key);
}

/** Asks whose deliveries are received, the one chosen before first, and remembers it. @returns undefined if the user canceled */
export async function askService(
  services: WebhookServices,
  asking: string,
): Promise<ProviderChoice | undefined> {
  const { providerNames, providerOf } = await import('../../toolkit/webhook/provider/providerOf');
  const chosen = chosenService(services);
  const isRemembered = rememberedService(services) !== undefined;
  const items = providerNames.map((name) => {
    const choice = name === chosen.name ? chosen : { name };
    const { title, documentedHeaders } = providerOf(choice);
    const label = name === 'hmac' ? `${title}…` : title;
    const before = isRemembered && name === chosen.name ? ', chosen before' : '';
    return { label, description: `${documentedHeaders.join(', ')}${before}`, name };
  });
  const picked = await vscode.window.showQuickPick(
    items.toSorted((a, b) => Number(b.name === chosen.name) - Number(a.name === chosen.name)),
    { title: asking, placeHolder: 'Choose the service that sends the webhooks', ignoreFocusOut: true },
  );
  if (picked === undefined) {
    return undefined;
  }
  const { name } = picked;
  const hmac = name === 'hmac' ? await askHmac(asking, chosen.hmac) : undefined;
  if (name === 'hmac' && hmac === undefined) {
    return undefined;
  }
  const choice = hmac === undefined ? { name } : { name, hmac };
  await services.context.workspaceState.update(key, choice);
  return choice;
}

/** Asks how the service signs. @returns undefined if the user canceled */
async function askHmac(title: string, before?: HmacSettings): Promise<HmacSettings | undefined> {
  const header = await askText({
    title,
    prompt: 'Name of the header that carries the signature.',
    placeholder: 'X-Signature',
    value: before?.header ?? 'X-Signature',
    validate: (text) => (isHeaderName(text) ? undefined : headerNameHint),
  });
  if (typeof header !== 'string') {
    return undefined;
  }
  const formats = hmacAlgorithms.flatMap((algorithm) =>
    hmacEncodings.map((encoding) => ({
      label: `${algorithm}, ${encoding}`,
      algorithm,
      encoding,
    })),
  );
  const format = await vscode.window.showQuickPick(formats, {
    title,
    placeHolder: 'Choose the hash of the HMAC, and how it is written',
    ignoreFocusOut: true,
  });
  const prefix =
    format &&
    (await askText({
      title,
      prompt: 'Text before the code, such as sha256=; leave empty for none.',
      placeholder: 'Prefix',
      value: before?.prefix ?? '',
      validate: () => undefined,
    }));
  if (format === undefined || typeof prefix !== 'string') {
    return undefined;
  }
  return { header, prefix, encoding: format.encoding, algorithm: format.algorithm };
}
