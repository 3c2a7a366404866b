import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WorkbenchError } from '../toolkit/base/errors';
import type { Misbehavior } from '../toolkit/webhook/delivery/onPurpose';
import { describeMisbehavior } from '../toolkit/webhook/delivery/onPurpose';
import type { WebhookListener } from '../toolkit/webhook/listener/startWebhookListener';
import { startWebhookListener } from '../toolkit/webhook/listener/startWebhookListener';
import { providerOf } from '../toolkit/webhook/provider/providerOf';
import { deliveryRow } from '../toolkit/webhook/views/describeDelivery';
import { noteLog, openLines, writeJsonLine, writeNote, writeText } from './output';
import { stopSignal } from './runTests';
import { pathHere } from './surroundings';
import { deliveryAnswer, readOrdersFile } from './webhookAnswers';
import type { ProviderOptions } from './webhookOptions';
import { providerChoice, readSecrets } from './webhookOptions';

export interface ListenOptions extends ProviderOptions {
  port: number;
  path: string;
  secretFile?: string[];
  orders?: string;
  forward?: string;
  forwardAll?: true;
  journal?: string;
  allowHost?: string[];
  refuseNext?: number;
  refuseWith?: Misbehavior;
  anyEncoding?: true;
  coin?: string;
  json?: true;
}

/** `webhook listen`: runs until it is stopped. */
export async function webhookListen(options: ListenOptions): Promise<void> {
  const stop = stopSignal();
  if (options.forwardAll === true && options.forward === undefined) {
    throw new WorkbenchError({
      code: 'forward-url-missing',
      kind: 'input',
      message: '--forward-all needs --forward.',
      hint: 'Give the URL too, for example --forward http://localhost:3000/webhook.',
    });
  }
  if (options.refuseWith !== undefined && options.refuseNext === undefined) {
    throw new WorkbenchError({
      code: 'refused-count-missing',
      kind: 'input',
      message: '--refuse-with needs --refuse-next.',
      hint: 'Say how many deliveries to refuse, for example --refuse-next 3.',
    });
  }
  const provider = providerChoice(options);
  const secrets = await readSecrets(options.secretFile, providerOf(provider));
  const orders =
    options.orders === undefined ? undefined : await readOrdersFile(options.orders, options.coin);
  const temporary =
    options.journal === undefined ? await mkdtemp(path.join(tmpdir(), 'ton-workbench-webhook-')) : undefined;
  try {
    const listener = await startWebhookListener({
      port: options.port,
      path: options.path,
      secrets,
      provider,
      signatureHeaders: options.header,
      signatureEncoding: options.anyEncoding ? 'any' : 'hex',
      coin: options.coin,
      allowedHosts: options.allowHost,
      orders,
      journalDirectory: pathHere(options.journal ?? temporary ?? '.'),
      forward:
        options.forward === undefined
          ? undefined
          : { url: options.forward, which: options.forwardAll ? 'all' : 'verified' },
      log: noteLog(),
    });
    if (options.refuseNext !== undefined) {
      const behavior = options.refuseWith ?? { how: 'status', status: 500 };
      await listener.refuseNext({ behavior, count: options.refuseNext });
      writeNote(
        `On purpose, the next deliveries are ${describeMisbehavior(behavior)}: ${options.refuseNext} with a valid signature.`,
      );
    }
    if (secrets.length === 0 && providerOf(provider).isSecretOptional) {
      writeNote('No token is set: every delivery is accepted. Give one with --secret-file.');
    } else if (secrets.length === 0) {
      writeNote('No secret is set: every delivery is refused. Give one with --secret-file.');
    }
    await show(listener, options, stop);
  } finally {
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true });
    }
  }
}

async function show(
  listener: WebhookListener,
  { json, journal }: ListenOptions,
  stop: AbortSignal,
): Promise<void> {
  const lines = openLines();
  listener.onDelivery((delivery) => {
    // A delivery still being forwarded is reported again with the answer.
    if (!delivery.forwarding) {
      if (json) {
        lines.writeJson(deliveryAnswer(delivery));
      } else {
        // `webhook verify` finds a kept one by its id.
        lines.writeText(`${journal === undefined ? '' : `${delivery.id}  `}${deliveryRow(delivery)}`);
      }
    }
  });
  if (json) {
    writeJsonLine({ url: listener.url });
  } else {
    writeText(`Listening on ${listener.url}; press Ctrl+C to stop.`);
  }
  const stopped = new Promise<never>((_, reject) => listener.onStopped(reject));
  const asked = new Promise<void>((resolve) => {
    if (stop.aborted) {
      resolve();
    }
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([asked, stopped]);
  await listener.close();
}
