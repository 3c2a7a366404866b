import * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import { networkOfLink } from '../../toolkit/access/networkOfLink';
import { addNetwork } from './addNetwork';
import type { NetworkServices } from './networkServices';

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
      detail: `The link is of ${network.name}, and this workspace is on ${networks.current().name}.`,
    },
    button,
  );
  if (answer === button) {
    await networks.choose(network.name);
  }
  return answer === button;
}
