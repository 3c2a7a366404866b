import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import { networkOfLink } from '../../toolkit/access/networkOfLink';
import type { ApiProbe, NetworkEntry, NetworkProbe, NetworkUrls } from '../../toolkit/access/probeNetwork';
import { networkEntry, probeNetwork, readNetworkUrls } from '../../toolkit/access/probeNetwork';
import type { Network } from '../../toolkit/access/network';
import { toWorkbenchError } from '../../toolkit/base/errors';
import type { Back } from '../ui/askText';
import { askText, back } from '../ui/askText';
import { withProgress } from '../ui/withProgress';
import { askApiKey } from './apiKeyCommands';
import { networkOrigins } from './apiKeys';
import type { NetworkServices } from './diagnoseNetworkCommand';

const title = 'TON: Add Network';

/** Milliseconds to wait for the service's answer. */
const patienceMs = 10_000;

/** The user's choice after the network has identified itself. */
type Choice = 'use' | 'add' | 'key' | 'url';

/** TON: Add Network…: asks for name and URLs, shows what answers there, and writes the user's setting. */
export async function addNetwork(services: NetworkServices): Promise<void> {
  let name = '';
  let url = '';
  let step: 'name' | 'url' = 'name';
  for (;;) {
    const answer = step === 'name' ? await askName(services, name) : await askUrl(name, url);
    if (answer === undefined) {
      return;
    }
    if (answer === back) {
      step = 'name';
    } else if (step === 'name') {
      name = answer.trim();
      step = 'url';
    } else {
      url = answer.trim();
      const finished = await confirm(services, name, readNetworkUrls(url));
      if (finished !== back) {
        return;
      }
    }
  }
}

/** Shows what answers at the URLs, and adds the network; `back` asks for the URLs again. */
async function confirm(
  services: NetworkServices,
  name: string,
  urls: NetworkUrls,
): Promise<Back | undefined> {
  const network: Network = { name, kind: 'custom', v2: urls.v2, v3: urls.v3, globalId: -3 };
  for (;;) {
    const access = await services.connections.to(network);
    const probe = await withProgress(`Checking ${name}`, (signal) =>
      probeNetwork(access, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
        priority: 'user',
      }),
    );
    const choice = await choose(name, probe);
    switch (choice) {
      case undefined:
        return undefined;
      case 'url':
        return back;
      case 'key': {
        const [origin] = networkOrigins(network);
        if (origin !== undefined) {
          await askApiKey(services, origin);
        }
        break;
      }
      default:
        await write(networkEntry(name, urls, probe));
        if (choice === 'use') {
          await services.networks.choose(name);
        }
        return undefined;
    }
  }
}

type Item = vscode.QuickPickItem & { choice?: Choice };

async function choose(name: string, probe: NetworkProbe): Promise<Choice | undefined> {
  const refusals = probe.apis.flatMap(({ api, error }) =>
    error === undefined ? [] : [`${api}: ${error.message}`],
  );
  const answers = refusals.length < probe.apis.length;
  const detail = answers ? probe.apis.map(apiWords).join('; ') : refusals.join('; ');
  const add: Item[] = [
    { label: `$(check) Add ${name} and Switch to It`, choice: 'use' },
    { label: `$(add) Add ${name}`, choice: 'add' },
  ];
  const change: Item[] = [
    {
      label: '$(edit) Change the URL…',
      ...(answers && refusals.length > 0 ? { detail: refusals.join('; ') } : {}),
      choice: 'url',
    },
    { label: '$(key) Set an API Key and Ask Again…', choice: 'key' },
  ];
  const [first, ...others] = answers ? [...add, ...change] : [...change, ...add];
  const picked = await vscode.window.showQuickPick<Item>(
    [...(first === undefined ? [] : [{ ...first, detail }]), ...others],
    {
      title: `${title} (3/3)`,
      placeHolder: answers ? whatItIs(probe) : 'Nothing answers there',
      ignoreFocusOut: true,
    },
  );
  return picked?.choice;
}

function whatItIs({ identity, globalId }: NetworkProbe): string {
  const what = {
    mainnet: 'The main network: real coins',
    testnet: 'The test network',
    other: 'A separate network',
  };
  const id = globalId === undefined ? 'global id unknown (-3 is assumed)' : `global id ${globalId}`;
  return `${identity === undefined ? 'A network' : what[identity]}, ${id}`;
}

function apiWords({ api, seqno, version, error }: ApiProbe): string {
  if (error !== undefined) {
    return `${api} does not answer`;
  }
  const facts = [
    ...(seqno === undefined ? [] : [`block ${seqno}`]),
    ...(version === undefined ? [] : [`version ${version}`]),
  ];
  return facts.length === 0 ? `${api} answers` : `${api} answers: ${facts.join(', ')}`;
}

function askName({ networks }: NetworkServices, value: string): Promise<string | Back | undefined> {
  const taken = new Set(networks.list().map(({ name }) => name.toLowerCase()));
  return askText({
    ...{ title, step: 1, totalSteps: 3, value },
    prompt: 'Shown in the status bar and wherever a network is chosen.',
    placeholder: 'Name, such as Staging',
    validate: (text) => {
      const name = text.trim();
      if (name === '') {
        return 'Enter a name, or press Escape to cancel.';
      }
      return taken.has(name.toLowerCase()) ? `The name ${name} is already taken.` : undefined;
    },
  });
}

function askUrl(name: string, value: string): Promise<string | Back | undefined> {
  return askText({
    ...{ title, step: 2, totalSteps: 3, value },
    prompt: `Where to find ${name}: its origin, the URL of one API, or those of both (v2 and v3) separated by a space.`,
    placeholder: 'https://ton.example.com',
    validate: (text) => {
      try {
        readNetworkUrls(text);
        return undefined;
      } catch (error) {
        return toWorkbenchError(error).message;
      }
    },
  });
}

/** The user's own setting: a workspace must not redirect traffic. */
async function write(entry: NetworkEntry): Promise<void> {
  await vscode.workspace
    .getConfiguration()
    .update(
      'tonWorkbench.networks',
      [...readSetting(vscode.workspace, 'tonWorkbench.networks'), entry],
      vscode.ConfigurationTarget.Global,
    );
}

/**
 * The network that a text is about: the one that a link names, else the current one. A host that no network here is
 * known to have is asked about once.
 * @returns undefined if the user canceled
 */
export async function networkOfText(services: NetworkServices, text: string): Promise<Network | undefined> {
  const { networks } = services;
  const linked = networkOfLink(text, networks.list());
  if (linked === undefined) {
    return networks.current();
  }
  return linked.network ?? networks.ofHost(linked.host) ?? askNetworkOf(services, linked.host);
}

async function askNetworkOf(services: NetworkServices, host: string): Promise<Network | undefined> {
  const { networks } = services;
  const known = networks.list();
  const add = { label: '$(add) Add Network…', network: undefined };
  const picked = await vscode.window.showQuickPick(
    [...known.map((network) => ({ label: network.name, network })), add],
    { title: `TON: Network of ${host}`, placeHolder: 'Which network does this site show?' },
  );
  if (picked === add) {
    await addNetwork(services);
  }
  const network =
    picked?.network ?? networks.list().find(({ name }) => !known.some((one) => one.name === name));
  if (picked === undefined || network === undefined) {
    return undefined;
  }
  await networks.rememberHost(host, network.name);
  return network;
}

/**
 * Switches the workspace to the network that a link names, after asking.
 * @returns whether that network is the current one now
 */
export async function switchToLinked(services: NetworkServices, text: string): Promise<boolean> {
  const { networks } = services;
  const network = await networkOfText(services, text);
  if (network === undefined || network.name === networks.current().name) {
    return network !== undefined;
  }
  const button = `Switch to ${network.name}`;
  const answer = await vscode.window.showWarningMessage(
    `Switch this workspace to ${network.name}?`,
    {
      modal: true,
      detail: `The link belongs to ${network.name}, but this workspace is on ${networks.current().name}.`,
    },
    button,
  );
  if (answer === button) {
    await networks.choose(network.name);
  }
  return answer === button;
}
