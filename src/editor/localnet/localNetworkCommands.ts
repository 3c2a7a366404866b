import * as vscode from 'vscode';
import type { AccountRow } from '../../commandTargets';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';

/** Starts the local network and shows its URL. */
export async function startLocalNetwork(services: Services): Promise<void> {
  const localnet = await withProgress('Starting the local network', (signal) =>
    services.localNetwork.ensureRunning(signal),
  );
  services.log.info(`local network on port ${localnet.port}`);
}

/** Copies the URL at which the user's programs reach the local network, even from a remote window. */
export async function copyLocalNetworkUrl(services: Services): Promise<void> {
  const localnet = await services.localNetwork.ensureRunning();
  await vscode.env.clipboard.writeText(localnet.v2);
  void vscode.window.setStatusBarMessage(`Copied ${localnet.v2}`, 4000);
}

/** Copies the address of a row. */
export async function copyAddress({ account: { address } }: AccountRow): Promise<void> {
  await vscode.env.clipboard.writeText(address);
  void vscode.window.setStatusBarMessage(`Copied ${address}`, 4000);
}
