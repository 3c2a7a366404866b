import * as vscode from 'vscode';
import type { HmacSettings } from '../../toolkit/webhook/provider/genericHmac';
import type { ProviderChoice } from '../../toolkit/webhook/provider/providerOf';
import { askText } from '../ui/askText';
import type { WebhookServices } from './webhookServices';

/** In the state of the workspace. */
const key = 'webhookProvider';

/** The service whose deliveries this workspace receives, as last chosen; undefined for the usual one. */
export function chosenService({ context }: WebhookServices): ProviderChoice | undefined {
  return context.workspaceState.get<ProviderChoice>(key);
}

/** Asks whose deliveries are received, the one chosen before first, and remembers it. @returns undefined if the user canceled */
export async function askService(
  services: WebhookServices,
  asking: string,
): Promise<ProviderChoice | undefined> {
  const { providerNames, providerOf } = await import('../../toolkit/webhook/provider/providerOf');
  const chosen = chosenService(services);
  const items = providerNames.map((name) => {
    const choice = name === chosen?.name ? chosen : { name };
    const { title, documentedHeaders } = providerOf(choice);
    const label = name === 'hmac' ? `${title}…` : title;
    const before = name === chosen?.name ? ', chosen before' : '';
    return { label, description: `${documentedHeaders.join(', ')}${before}`, name };
  });
  const picked = await vscode.window.showQuickPick(
    items.toSorted((a, b) => Number(b.name === chosen?.name) - Number(a.name === chosen?.name)),
    { title: asking, placeHolder: 'Choose the service that sends the webhooks', ignoreFocusOut: true },
  );
  if (picked === undefined) {
    return undefined;
  }
  const { name } = picked;
  const hmac = name === 'hmac' ? await askHmac(asking, chosen?.hmac) : undefined;
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
    validate: (text) =>
      /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text)
        ? undefined
        : 'Enter a name of letters, digits, and hyphens, such as X-Signature.',
  });
  if (typeof header !== 'string') {
    return undefined;
  }
  const algorithms = ['sha256', 'sha512', 'sha384', 'sha1'] as const;
  const formats = algorithms.flatMap((algorithm) =>
    (['hex', 'base64'] as const).map((encoding) => ({
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
      prompt: 'What stands before the code, such as sha256=; leave it empty if nothing does.',
      placeholder: 'Prefix',
      value: before?.prefix ?? '',
      validate: () => undefined,
    }));
  if (format === undefined || typeof prefix !== 'string') {
    return undefined;
  }
  return { header, prefix, encoding: format.encoding, algorithm: format.algorithm };
}
