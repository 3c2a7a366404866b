import * as vscode from 'vscode';
import { guessFramework } from '../../toolkit/webhook/receiver/guessFramework';
import { frameworkTitles, receiverFrameworks } from '../../toolkit/webhook/receiver/receiverFrameworks';
import type { ReceiverFramework } from '../../toolkit/webhook/receiver/receiverFrameworks';
import { currentText } from '../ui/openDocument';
import type { WebhookServices } from './webhookServices';

const key = 'webhookFramework';
const mostManifests = 50;

/** The framework chosen in this workspace, else the one that its package.json names; undefined if neither says it. */
export async function knownFramework(services: WebhookServices): Promise<ReceiverFramework | undefined> {
  return chosenFramework(services) ?? usedFramework();
}

/** Asks for the framework, the known one first, and remembers it. @returns undefined if the user canceled */
export async function askFramework(
  services: WebhookServices,
  title: string,
): Promise<ReceiverFramework | undefined> {
  const chosen = chosenFramework(services);
  const used = await usedFramework();
  const known = chosen ?? used;
  const items = receiverFrameworks.map((framework) => ({
    label: frameworkTitles[framework],
    description: framework === used ? 'in package.json' : framework === chosen ? 'chosen before' : '',
    framework,
  }));
  const picked = await vscode.window.showQuickPick(
    items.toSorted((a, b) => Number(b.framework === known) - Number(a.framework === known)),
    { title, placeHolder: 'Choose what your server is written with', ignoreFocusOut: true },
  );
  if (picked !== undefined) {
    await services.context.workspaceState.update(key, picked.framework);
  }
  return picked?.framework;
}

function chosenFramework({ context }: WebhookServices): ReceiverFramework | undefined {
  const chosen = context.workspaceState.get<string>(key);
  return receiverFrameworks.find((name) => name === chosen);
}

async function usedFramework(): Promise<ReceiverFramework | undefined> {
  const files = await vscode.workspace.findFiles('**/package.json', '**/node_modules/**', mostManifests);
  return guessFramework(await Promise.all(files.map((file) => currentText(file).catch(() => ''))));
}
