import * as vscode from 'vscode';
import type { WebhookServices } from './webhookServices';
import { isListening } from '../../toolkit/isListening';
import { receiverUrl } from '../../toolkit/webhook/receiver/receiverUrl';
import { pickOrType } from '../ui/pickOrType';
import type { Suggestion } from '../ui/pickOrType';
import { problemOf } from './listenerCommands';
import { readWebhookSettings } from './webhookSettings';

const key = 'webhookEndpoints';
const listenerChoice = 'listener';
const remembered = 10;

/** The target of a webhook. */
export interface WebhookEndpoint {
  url: URL;
  /** Whether it is this window's own listener. */
  isListener: boolean;
}

/** The receivers that this workspace has used, newest first. */
function recentEndpoints({ context }: WebhookServices): string[] {
  return context.workspaceState.get<string[]>(key, []);
}

/** Offers a receiver first from now on. */
export async function rememberEndpoint(services: WebhookServices, url: string): Promise<void> {
  const rest = recentEndpoints(services).filter((known) => known !== url);
  await services.context.workspaceState.update(key, [url, ...rest].slice(0, remembered));
}

/**
 * Asks for a target: this window's listener (started if needed) or any URL of the developer.
 * @param options.listener false: only the developer's own receivers
 * @returns undefined if the user canceled
 */
export async function askEndpoint(
  services: WebhookServices,
  title: string,
  options: { listener: boolean },
): Promise<WebhookEndpoint | undefined> {
  const { parseEndpoint } = await import('../../toolkit/webhook/send/parseEndpoint');
  const answer = await pickOrType({
    title,
    placeholder: `Webhook URL, for example ${receiverUrl()}`,
    suggestions: await suggestions(services, options.listener),
    read: (text) => {
      const reason = problemOf(() => parseEndpoint(text));
      return reason === undefined
        ? { ok: true, label: /^https?:/i.test(text) ? text : parseEndpoint(text).href }
        : { ok: false, reason };
    },
  });
  if (typeof answer !== 'string') {
    return undefined;
  }
  if (answer === listenerChoice) {
    return listenerEndpoint(services);
  }
  const url = parseEndpoint(answer);
  await rememberEndpoint(services, url.href);
  return { url, isListener: false };
}

/** This window's listener as a receiver; starts it if needed. */
export async function listenerEndpoint({ webhooks }: WebhookServices): Promise<WebhookEndpoint> {
  const { listener } = await webhooks.ensureRunning();
  return { url: new URL(listener.url), isListener: true };
}

/** The receivers that are known, those that listen on this machine first, and where a made one listens. */
async function suggestions(services: WebhookServices, withListener: boolean): Promise<Suggestion[]> {
  const { forward } = readWebhookSettings();
  const made = receiverUrl();
  const urls = [...(forward === undefined ? [] : [forward.url]), ...recentEndpoints(services), made];
  const known = await Promise.all(
    // What the settings name may be no URL.
    [...new Set(urls)]
      .filter((url) => URL.canParse(url))
      .map(async (url) => ({ url, listens: await isListening(new URL(url)) })),
  );
  const state = services.webhooks.state();
  const own: Suggestion = {
    value: listenerChoice,
    label: "This window's listener",
    description: state.kind === 'running' ? state.listener.url : 'starts it',
    icon: 'radio-tower',
  };
  return [
    ...(withListener ? [own] : []),
    ...known
      .toSorted((one, other) => Number(other.listens === true) - Number(one.listens === true))
      .map(({ url, listens }) => ({
        value: url,
        label: url,
        icon:
          url === forward?.url ? 'export' : recentEndpoints(services).includes(url) ? 'history' : 'server',
        ...(listens === undefined ? {} : { description: listens ? 'listens' : 'nothing listens there now' }),
      })),
  ];
}

/** `127.0.0.1:3000/webhook`, as shown in titles. */
export function shortUrl(url: URL): string {
  return `${url.host}${url.pathname}`;
}

/** Shows a success message for a moment. */
export function tellQuietly(text: string): void {
  void vscode.window.setStatusBarMessage(text, 5000);
}
