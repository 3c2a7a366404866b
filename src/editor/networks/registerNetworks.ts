import * as vscode from 'vscode';
import type { NetworkServices } from './networkServices';
import { registerCommands } from '../ui/registerCommands';
import { registerNetworkStatus } from './registerNetworkStatus';

/** Choosing the network, its status bar item, and the API keys. */
export function registerNetworks(services: NetworkServices): vscode.Disposable {
  return vscode.Disposable.from(
    services.networks.register(),
    registerNetworkStatus(services),
    registerCommands(services.log, {
      'tonWorkbench.switchNetwork': async () => (await import('./switchNetwork')).switchNetwork(services),
      'tonWorkbench.addNetwork': async () => (await import('./addNetwork')).addNetwork(services),
      'tonWorkbench.diagnoseNetwork': async () =>
        (await import('./diagnoseNetworkCommand')).diagnoseNetworkCommand(services),
      'tonWorkbench.setApiKey': async () => (await import('./apiKeyCommands')).setApiKey(services),
    }),
  );
}
