import * as vscode from 'vscode';
import type { WebhookServices } from './webhookServices';
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

async function remember({ context }: WebhookServices, url: string): Promise<void> {
  const rest = recentEndpoints({ context } as WebhookServices).filter((known) => known !== url);
  await context.workspaceState.update(key, [url, ...rest].slice(0, remembered));
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
    placeholder: 'Webhook URL, for example http://127.0.0.1:3000/webhook',
    suggestions: suggestions(services, options.listener),
    read: (text) => {
      const reason = problemOf(() => parseEndpoint(text));
      return reason === undefined ? { ok: true, label: text } : { ok: false, reason };
    },
  });
  if (typeof answer !== 'string') {
    return undefined;
  }
  if (answer === listenerChoice) {
    return listenerEndpoint(services);
  }
  const url = parseEndpoint(answer);
  await remember(services, url.href);
  return { url, isListener: false };
}

/** This window's listener as a receiver; starts it if needed. */
export async function listenerEndpoint({ webhooks }: WebhookServices): Promise<WebhookEndpoint> {
  const { listener } = await webhooks.ensureRunning();
  return { url: new URL(listener.url), isListener: true };
}

function suggestions(services: WebhookServices, withListener: boolean): Suggestion[] {
  const { forward } = readWebhookSettings();
  const known = [...new Set([...(forward === undefined ? [] : [forward.url]), ...recentEndpoints(services)])];
  const state = services.webhooks.state();
  const own: Suggestion = {
    value: listenerChoice,
    label: "This window's listener",
    description: state.kind === 'running' ? state.listener.url : 'starts it',
    icon: 'radio-tower',
  };
  return [
    ...(withListener ? [own] : []),
    ...known.map((url) => ({ value: url, label: url, icon: url === forward?.url ? 'export' : 'history' })),
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
