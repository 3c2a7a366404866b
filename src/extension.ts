import * as vscode from 'vscode';
import { readSetting, registerCommand } from './contributions';
import type { CommandId, CommandTypes } from './contributions';
import { runGetMethodCommand } from './editor/getMethods/runGetMethodCommand';
import { LocalNetwork } from './editor/localnet/localNetwork';
import {
  copyAddress,
  copyLocalNetworkUrl,
  itemAddress,
  startLocalNetwork,
  startWithWindow,
} from './editor/localnet/localNetworkCommands';
import { registerLocalNetworkView } from './editor/localnet/localNetworkView';
import { removeApiKey, setApiKey, testApiKey } from './editor/networks/apiKeyCommands';
import { ApiKeys } from './editor/networks/apiKeys';
import { Connections } from './editor/networks/connections';
import { Networks } from './editor/networks/networks';
import { registerNetworkStatus } from './editor/networks/networkStatus';
import { switchNetwork } from './editor/networks/switchNetwork';
import type { Services } from './editor/services';
import { ReadOnlyDocuments } from './editor/ui/readOnlyDocuments';
import { showError } from './editor/ui/showError';
import { createLog, Redactor } from './toolkit/log';

let running: Services | undefined;

/** Builds the services and registers the features; nothing heavy is loaded before its first use. */
export function activate(context: vscode.ExtensionContext): void {
  const channel = vscode.window.createOutputChannel('TON Workbench', { log: true });
  const redactor = new Redactor();
  const log = createLog((level, line) => channel[level](line), redactor);
  const networks = new Networks(context.workspaceState);
  const apiKeys = new ApiKeys(context.secrets, redactor);
  const localNetwork = new LocalNetwork(networks, log);
  const connections = new Connections(networks, apiKeys, localNetwork, log);
  const documents = new ReadOnlyDocuments();
  const services: Services = { context, log, networks, apiKeys, localNetwork, connections, documents };
  running = services;

  const on = <K extends CommandId>(id: K, run: CommandTypes[K]): vscode.Disposable =>
    registerCommand(vscode.commands, id, guarded(services, run));
  context.subscriptions.push(
    channel,
    networks.register(),
    documents.register(),
    registerNetworkStatus(services),
    registerLocalNetworkView(services),
    on('tonWorkbench.runGetMethod', (call) => runGetMethodCommand(services, call)),
    on('tonWorkbench.runGetMethodOn', (item) => {
      const address = itemAddress(item);
      return runGetMethodCommand(services, address === undefined ? {} : { address });
    }),
    on('tonWorkbench.switchNetwork', () => switchNetwork(services)),
    on('tonWorkbench.setApiKey', () => setApiKey(services)),
    on('tonWorkbench.testApiKey', () => testApiKey(services)),
    on('tonWorkbench.removeApiKey', () => removeApiKey(services)),
    on('tonWorkbench.startLocalNetwork', () => startLocalNetwork(services)),
    on('tonWorkbench.stopLocalNetwork', () => localNetwork.stop()),
    on('tonWorkbench.copyLocalNetworkUrl', () => copyLocalNetworkUrl(services)),
    on('tonWorkbench.copyAddress', (item) => copyAddress(item)),
    on('tonWorkbench.showLog', () => channel.show()),
  );
  log.info(
    `${context.extension.id} ${String(context.extension.packageJSON.version)}, VS Code ${vscode.version}, ` +
      `Node ${process.version}, ${vscode.env.remoteName ?? 'desktop'}`,
  );
  if (readSetting(vscode.workspace, 'tonWorkbench.localNetwork.startWithWindow')) {
    startWithWindow(services);
  }
}

/** Stops what runs; the window waits for it. */
export async function deactivate(): Promise<void> {
  await running?.localNetwork.dispose();
  running = undefined;
}

/** Every command reports its errors the same way. */
function guarded<A extends unknown[]>(
  services: Services,
  run: (...args: A) => unknown,
): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await run(...args);
    } catch (error) {
      await showError(error, services.log);
    }
  };
}
