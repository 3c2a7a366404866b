import * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError } from '../../toolkit/errors';

/** Asks for a network to compare `own` with; undefined if the user canceled. */
export async function askOtherNetwork(
  networks: readonly Network[],
  own: Network | undefined,
): Promise<string | undefined> {
  if (own === undefined) {
    throw new WorkbenchError({
      code: 'network-unknown',
      kind: 'input',
      message: 'The network of this call is unknown.',
      hint: 'Networks are local, mainnet, testnet, and those in the setting tonWorkbench.networks.',
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
    placeHolder: 'Runs the same call on the same address; get-methods change nothing',
  });
  return picked?.label;
}

function hostOf({ v2, v3 }: Network): string {
  const url = v3 ?? v2;
  return url === undefined ? '' : new URL(url).host;
}
