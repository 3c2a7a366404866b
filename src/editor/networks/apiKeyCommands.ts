import * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import type { NetworkServices } from './diagnoseNetworkCommand';
import { askText } from '../ui/askText';
import { showError } from '../ui/showError';
import { withProgress } from '../ui/withProgress';
import { networkOrigins } from './apiKeys';

/**
 * Asks for the origin of a network and stores a key for it. A key that is stored already can be replaced, tested, or
 * removed.
 * @returns whether a key was stored
 */
export async function setApiKey(services: NetworkServices): Promise<boolean> {
  const chosen = await pickOrigin(services);
  if (chosen === undefined) {
    return false;
  }
  const wanted = (await services.apiKeys.get(chosen.origin)) === undefined ? 'set' : await pickAction(chosen);
  switch (wanted) {
    case undefined:
      return false;
    case 'test':
      await testKey(services, chosen);
      return false;
    case 'remove':
      await removeKey(services, chosen);
      return false;
    case 'set':
      return askAndTest(services, chosen);
  }
}

async function pickAction({ origin }: Choice): Promise<'set' | 'test' | 'remove' | undefined> {
  const items = [
    { label: '$(key) Replace…', action: 'set' as const },
    { label: '$(pulse) Test', description: 'makes one request', action: 'test' as const },
    { label: '$(trash) Remove…', action: 'remove' as const },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: `TON: API Key for ${new URL(origin).host}`,
    placeHolder: 'A key is stored for this host',
  });
  return picked?.action;
}

async function askAndTest(services: NetworkServices, chosen: Choice): Promise<boolean> {
  if (!(await askApiKey(services, chosen.origin))) {
    return false;
  }
  void offerTest(services, chosen).catch((error: unknown) => showError(error, services.log));
  return true;
}

async function offerTest(services: NetworkServices, chosen: Choice): Promise<void> {
  const host = new URL(chosen.origin).host;
  const action = await vscode.window.showInformationMessage(`The API key for ${host} was saved.`, 'Test It');
  if (action === 'Test It') {
    await testKey(services, chosen);
  }
}

/** Asks for an origin's key and stores it; false if the user canceled. */
export async function askApiKey({ apiKeys }: NetworkServices, origin: string): Promise<boolean> {
  const host = new URL(origin).host;
  const key = await askText({
    title: `TON: API Key for ${host}`,
    prompt: `Stored in the editor's secret storage. Sent only to ${host}, as X-API-Key.`,
    placeholder: 'Paste the key',
    password: true,
    validate: (text) => keyProblem(text),
  });
  if (typeof key !== 'string') {
    return false;
  }
  await apiKeys.set(origin, key.trim());
  return true;
}

async function removeKey(services: NetworkServices, { origin }: Choice): Promise<void> {
  const answer = await vscode.window.showWarningMessage(
    `Remove the API key for ${new URL(origin).host}?`,
    { modal: true, detail: 'You would have to enter it again.' },
    'Remove',
  );
  if (answer === 'Remove') {
    await services.apiKeys.remove(origin);
  }
}

/** Makes one cheap request with the stored key and shows the service's answer. */
async function testKey(services: NetworkServices, { network, origin }: Choice): Promise<void> {
  const host = new URL(origin).host;
  const access = await services.connections.to(network);
  const useV3 = network.v3 !== undefined && new URL(network.v3).origin === origin;
  await withProgress(`Testing the API key for ${host}`, async (signal) => {
    await (useV3 ? access.v3.masterchainInfo({}, { signal }) : access.v2.getMasterchainInfo({}, { signal }));
  });
  void vscode.window.showInformationMessage(`${host} accepts this API key.`);
}

interface Choice {
  network: Network;
  origin: string;
}

async function pickOrigin({ networks, apiKeys }: NetworkServices): Promise<Choice | undefined> {
  const choices = networks
    .list()
    .filter((network) => network.kind !== 'local')
    .flatMap((network) => networkOrigins(network).map((origin) => ({ network, origin })));
  const items = await Promise.all(
    choices.map(async (choice) => ({
      label: choice.network.name,
      description: new URL(choice.origin).host,
      detail: (await apiKeys.get(choice.origin)) === undefined ? 'no key stored' : 'a key is stored',
      choice,
    })),
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: 'TON: API Keys',
    placeHolder: 'The network, and the host that gets the key',
  });
  return picked?.choice;
}

function keyProblem(text: string): string | undefined {
  const key = text.trim();
  if (key === '') {
    return 'Enter a key, or press Escape to cancel.';
  }
  const bad = [...key].findIndex((character) => !/[\x21-\x7e]/.test(character));
  return bad < 0
    ? undefined
    : `Character ${bad + 1} is not allowed in a key: use printable ASCII without spaces.`;
}
