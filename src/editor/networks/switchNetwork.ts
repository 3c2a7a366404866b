import * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import type { NetworkServices } from './diagnoseNetworkCommand';

type Item = vscode.QuickPickItem & { network?: string; run?: () => Thenable<unknown> };

/**
 * Lets the user choose the workspace's network; problems with the setting are shown with a way to fix them.
 * @returns whether the network is another one now
 */
export async function switchNetwork(services: NetworkServices): Promise<boolean> {
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
