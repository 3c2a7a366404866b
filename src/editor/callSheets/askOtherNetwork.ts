import * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError } from '../../toolkit/errors';

/** The name of a network to compare `own` with; undefined when the user left. */
export async function askOtherNetwork(
  networks: readonly Network[],
  own: Network | undefined,
): Promise<string | undefined> {
  if (own === undefined) {
    throw new WorkbenchError({
      code: 'network-unknown',
      kind: 'input',
      message: 'The network of this call is not known.',
      hint: 'Networks are local, mainnet, testnet and those of the setting tonWorkbench.networks.',
    });
  }
  const items = networks
    .filter(({ name }) => name !== own.name)
    .map((network) => ({
      label: network.name,
      description: network.kind === 'local' ? 'embedded, offline' : hostOf(network),
    }));
  const picked = await vscode.window.showQuickPick(items, {
    title: `TON: Compare ${own.name} With`,
    placeHolder: 'The same call of the same address there; a get-method changes nothing',
  });
  return picked?.label;
}

function hostOf({ v2, v3 }: Network): string {
  const url = v3 ?? v2;
  return url === undefined ? '' : new URL(url).host;
}
