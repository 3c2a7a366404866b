import * as vscode from 'vscode';
import type { AccountRow, TraceRow } from '../../commandTargets';
import { readSetting } from '../../contributions';
import { clockWords } from '../../toolkit/localnet/localNetworkWords';
import type { LocalNetworkState, RunningLocalNetwork } from '../networks/localNetwork';
import type { Services } from '../project/services';
import { afterStart } from '../ui/afterStart';
import { LazyTree, registerCommands } from '../ui/registerCommands';
import { withProgress } from '../ui/withProgress';
import type { LocalItem, LocalServers } from './localElement';
import type * as Control from './localNetworkControl';
import type { LocalRows } from './localRows';

/** Loaded with the first command. */
const control = (): Promise<typeof Control> => import('./localNetworkControl');

/**
 * Registers the embedded local network: its view and its commands. It starts on first use, or with the window
 * if so configured.
 */
export function registerLocalNetwork(services: Services, servers: LocalServers): vscode.Disposable {
  const { localNetwork, log } = services;
  const start = (): void => {
    // Another window on the folder may already run the network.
    localNetwork.join().catch((error: unknown) => log.warn(String(error)));
    if (readSetting(vscode.workspace, 'tonWorkbench.startWithWindow').localNetwork) {
      localNetwork
        .ensureRunning()
        .catch(async (error: unknown) => (await import('../ui/showError')).showError(error, log));
    }
  };
  return vscode.Disposable.from(
    afterStart(start),
    registerLocalNetworkView(services, servers),
    registerCommands(log, {
      'tonWorkbench.startLocalNetwork': () => startLocalNetwork(services),
      'tonWorkbench.stopLocalNetwork': () => localNetwork.stop(),
      'tonWorkbench.copyLocalNetworkUrl': () => copyLocalNetworkUrl(services),
      'tonWorkbench.localFaucet': async (item) => (await control()).faucet(services, item),
      'tonWorkbench.setCodeFromSource': async (target) =>
        (await import('./setCodeFromSource')).setCodeFromSource(services, target),
      'tonWorkbench.localImportConfig': async () =>
        (await import('./controlNetwork')).importConfiguration(services),
      'tonWorkbench.localFork': async () => (await import('./controlNetwork')).forkNetwork(services),
      'tonWorkbench.localLeaveFork': async () => (await import('./controlNetwork')).leaveFork(services),
      'tonWorkbench.localRequests': async (all) =>
        (await import('./requestsCommand')).showRequests(services, all),
      'tonWorkbench.localReplay': async (id) =>
        (await import('./requestsCommand')).replayRequest(services, id),
      'tonWorkbench.localRetryMessage': async (item) => (await control()).retryMessage(services, item),
      'tonWorkbench.localDropMessage': async (item) => (await control()).dropMessage(services, item),
      'tonWorkbench.localMisbehave': async () => (await import('./misbehaveCommands')).misbehave(services),
      'tonWorkbench.localBehave': async () => (await import('./misbehaveCommands')).behave(services),
      'tonWorkbench.blocksAndTime': async (what) => (await control()).changeChain(services, what),
      'tonWorkbench.localSnapshot': async () => (await control()).takeSnapshot(services),
      'tonWorkbench.localRestore': async () => (await control()).restoreSnapshot(services),
      'tonWorkbench.localRewind': async (item) => (await control()).rewindBefore(services, traceOf(item)),
      'tonWorkbench.localReset': async () => (await control()).resetNetwork(services),
      'tonWorkbench.copyAddress': (item) => copyAddress(item),
    }),
  );
}

/** The hash of the trace's first transaction, lower-case hex. */
function traceOf({ id }: TraceRow): string {
  return id ?? '';
}

/** Starts the local network and shows its URL. */
async function startLocalNetwork(services: Services): Promise<void> {
  const localnet = await withProgress('Starting the local network', (signal) =>
    services.localNetwork.ensureRunning(signal),
  );
  services.log.info(`local network on port ${localnet.port}`);
}

/** Copies the URL at which the user's programs reach the local network, even from a remote window. */
async function copyLocalNetworkUrl(services: Services): Promise<void> {
  const localnet = await services.localNetwork.ensureRunning();
  await vscode.env.clipboard.writeText(localnet.v2);
  void vscode.window.setStatusBarMessage(`Copied ${localnet.v2}`, 4000);
}

/** Copies the address of a row. */
async function copyAddress({ account: { address } }: AccountRow): Promise<void> {
  await vscode.env.clipboard.writeText(address);
  void vscode.window.setStatusBarMessage(`Copied ${address}`, 4000);
}

/**
 * The view "Local Network": contracts and accounts with their balances. Its empty state offers to start the
 * network.
 */
function registerLocalNetworkView(services: Services, servers: LocalServers): vscode.Disposable {
  const tree = new LazyTree<LocalItem>('localNetwork', services.log);
  const { view } = tree;
  let rows: Promise<LocalRows> | undefined;
  const refresh = async (): Promise<void> => {
    if (services.localNetwork.state().kind === 'running') {
      rows ??= import('./localRows').then((module) => {
        const made = new module.LocalRows(services, servers, view);
        tree.attach(made);
        return made;
      });
    }
    (await rows)?.refresh();
  };
  const describe = (): void => {
    const state = services.localNetwork.state();
    view.description = state.kind === 'running' ? description(state) : '';
    view.message = messageOf(state);
    void refresh();
  };
  return vscode.Disposable.from(
    afterStart(describe),
    tree,
    { dispose: () => void rows?.then((made) => made.dispose()) },
    services.localNetwork.onDidChange(describe),
    services.pins.onDidChange(() => void refresh()),
  );
}

/** The line above the rows. */
function messageOf(state: LocalNetworkState): string | undefined {
  if (state.kind === 'failed') {
    return `The local network is not running: ${state.message}`;
  }
  return state.kind === 'running' && state.isPortNew
    ? `Its usual port is taken: this folder's network now uses port ${state.port}.`
    : undefined;
}

function description(running: RunningLocalNetwork): string {
  const { port, block, fork, isShared } = running;
  return [
    ...(fork === undefined ? [] : [`fork of ${fork.network} at ${fork.seqno}`]),
    clockWords(running),
    `port ${port}`,
    `block ${block}`,
    ...(isShared ? ['shared'] : []),
  ]
    .filter((part) => part !== '')
    .join(', ');
}
