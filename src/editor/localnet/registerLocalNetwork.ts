import * as vscode from 'vscode';
import type { TraceRow } from '../../commandTargets';
import { readSetting } from '../../contributions';
import type { Services } from '../services';
import { afterStart } from '../ui/afterStart';
import { registerCommands } from '../ui/registerCommands';
import type * as Control from './localNetworkControl';
import { copyAddress, copyLocalNetworkUrl, startLocalNetwork } from './localNetworkCommands';
import type { LocalServers } from './localElement';
import { registerLocalNetworkView } from './registerLocalNetworkView';

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
    if (readSetting(vscode.workspace, 'tonWorkbench.localNetwork.startWithWindow')) {
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
      'tonWorkbench.localSetBalance': async (item) =>
        (await import('./accountEdits')).setBalance(services, item),
      'tonWorkbench.localSetCode': async (item) =>
        (await import('./accountEdits')).setCell(services, item, 'code'),
      'tonWorkbench.localSetData': async (item) =>
        (await import('./accountEdits')).setCell(services, item, 'data'),
      'tonWorkbench.setCodeFromSource': async (target) =>
        (await import('./setCodeFromSource')).setCodeFromSource(services, target),
      'tonWorkbench.localImportConfig': async () =>
        (await import('./otherNetworks')).importConfiguration(services),
      'tonWorkbench.localFork': async () => (await import('./otherNetworks')).forkNetwork(services),
      'tonWorkbench.localLeaveFork': async () => (await import('./otherNetworks')).leaveFork(services),
      'tonWorkbench.localRequests': async (all) =>
        (await import('./requestsCommand')).showRequests(services, all),
      'tonWorkbench.localReplay': async (id) =>
        (await import('./requestsCommand')).replayRequest(services, id),
      'tonWorkbench.localRetryMessage': async (item) => (await control()).retryMessage(services, item),
      'tonWorkbench.localDropMessage': async (item) => (await control()).dropMessage(services, item),
      'tonWorkbench.localMisbehave': async () => (await import('./misbehaveCommands')).misbehave(services),
      'tonWorkbench.localBehave': async () => (await import('./misbehaveCommands')).behave(services),
      'tonWorkbench.localMine': async () => (await control()).mine(services),
      'tonWorkbench.localMoveTime': async () => (await control()).moveTime(services),
      'tonWorkbench.localBlockMode': async () => (await control()).setBlockMode(services),
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
