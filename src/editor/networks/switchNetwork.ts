import * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import { shortAddress } from '../../toolkit/address/shortAddress';
import type { NetworkServices } from './diagnoseNetworkCommand';

/** The user's own wallet, if one is connected on a network. */
export interface OwnWallet {
  known(network: string): Promise<{ name: string; address: string } | undefined>;
  disconnect(network: Network): Promise<void>;
}

type Item = vscode.QuickPickItem & { network?: string; run?: () => Thenable<unknown> };

/**
 * Lets the user choose the workspace's network; problems with the setting are shown with a way to fix them.
 * @returns whether the network is another one now
 */
export async function switchNetwork(services: NetworkServices, ownWallet: OwnWallet): Promise<boolean> {
  const { networks } = services;
  const current = networks.current();
  const { problems } = networks.custom();
  const items: Item[] = networks.list().map((network) => ({
    label: `$(${icon(network)}) ${network.name}`,
    description: network.name === current.name ? 'current' : '',
    detail: summary(network),
    network: network.name,
  }));
  const openSetting = (): Thenable<unknown> =>
    vscode.commands.executeCommand('workbench.action.openSettings', 'tonWorkbench.networks');
  items.push({ label: '', kind: vscode.QuickPickItemKind.Separator });
  for (const problem of problems) {
    items.push({ label: `$(error) ${problem}`, detail: 'Open the setting to fix it', run: openSetting });
  }
  const wallet = await ownWallet.known(current.name);
  if (wallet !== undefined) {
    items.push({
      label: `$(plug) Disconnect ${wallet.name}`,
      description: shortAddress(wallet.address),
      detail: `Your wallet, which signs on ${current.name}`,
      run: () => ownWallet.disconnect(current),
    });
  }
  items.push(
    {
      label: '$(add) Add Network…',
      run: async () => (await import('./addNetwork')).addNetwork(services),
    },
    { label: '$(gear) Edit networks…', run: openSetting },
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: 'TON: Switch Network',
    placeHolder: `Choose the network of this workspace (now ${current.name})`,
    matchOnDetail: true,
  });
  if (picked?.network !== undefined) {
    await networks.choose(picked.network);
  }
  await picked?.run?.();
  return networks.current().name !== current.name;
}

function icon(network: Network): string {
  return { local: 'vm', mainnet: 'warning', testnet: 'beaker', custom: 'globe' }[network.kind];
}

function summary(network: Network): string {
  if (network.kind === 'local') {
    return network.v2 === undefined
      ? 'Embedded, offline, a real TVM; starts on first use'
      : `Embedded, running at ${new URL(network.v2).origin}`;
  }
  const apis = [network.v2 === undefined ? 'no v2' : 'v2', network.v3 === undefined ? 'no v3' : 'v3'].join(
    ', ',
  );
  const host = new URL((network.v3 ?? network.v2) as string).host;
  return `${host} (${apis})${network.kind === 'mainnet' ? ', real coins' : ''}`;
}
