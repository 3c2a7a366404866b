import * as vscode from 'vscode';
import type { EmulatorHolder } from '../../toolkit/workflows/rehearseInTime';
import type { WalletView } from '../localnet/walletView';
import type { TraceServices } from '../traces/traceServices';
import { registerLazyCommands } from '../ui/registerCommands';
import { walletCommandIds } from './walletCommandIds';
import type { WalletFeature } from './walletFeature';
import { walletIsOnKey } from './walletIsOnKey';

/** The test wallet as other features see it; it must be closed before the window goes away. */
export interface RegisteredWallet extends vscode.Disposable, WalletView {
  close(): Promise<void>;
}

/**
 * Registers the names of the test wallet's commands; everything else is loaded by the first of them, or with the network
 * that it ran on.
 * @param onSent follows the trace of a message that it has sent
 */
export function registerWallet(
  services: TraceServices,
  use: () => Promise<{ emulators: EmulatorHolder }>,
  onSent: (hash: string) => void,
): RegisteredWallet {
  const { localNetwork, context, log } = services;
  const changed = new vscode.EventEmitter<void>();
  let feature: WalletFeature | undefined;
  let loading: Promise<WalletFeature> | undefined;
  const load = (): Promise<WalletFeature> =>
    (loading ??= import('./walletFeature').then(
      ({ WalletFeature }) =>
        (feature = new WalletFeature(services, {
          emulators: async () => (await use()).emulators,
          onChange: () => changed.fire(),
          onSent,
        })),
    ));
  const follow = (): void => {
    if (feature !== undefined || context.workspaceState.get(walletIsOnKey) === true) {
      load()
        .then(({ wallet }) => wallet.follow())
        .catch((error: unknown) => log.error('The test wallet cannot follow its network', error));
    }
  };
  const parts = vscode.Disposable.from(
    changed,
    localNetwork.onDidChange(follow),
    registerLazyCommands(log, walletCommandIds, load),
  );
  return {
    onDidChange: changed.event,
    state: () => feature?.wallet.state(),
    close: async () => (await loading)?.close(),
    dispose: () => void parts.dispose(),
  };
}
