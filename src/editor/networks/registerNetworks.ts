import * as vscode from 'vscode';
import type { Services } from '../services';
import { registerCommands } from '../ui/registerCommands';
import { removeApiKey, setApiKey, testApiKey } from './apiKeyCommands';
import { registerNetworkStatus } from './networkStatus';
import { switchNetwork } from './switchNetwork';

/** Choosing the network, its status bar item, and the API keys. */
export function registerNetworks(services: Services): vscode.Disposable {
  return vscode.Disposable.from(
    services.networks.register(),
    services.connections.register(),
    registerNetworkStatus(services),
    registerCommands(services.log, {
      'tonWorkbench.switchNetwork': () => switchNetwork(services),
      'tonWorkbench.setApiKey': () => setApiKey(services),
      'tonWorkbench.testApiKey': () => testApiKey(services),
      'tonWorkbench.removeApiKey': () => removeApiKey(services),
    }),
  );
}
