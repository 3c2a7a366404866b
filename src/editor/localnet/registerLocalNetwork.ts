import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Services } from '../services';
import { registerCommands } from '../ui/registerCommands';
import { showError } from '../ui/showError';
import {
  deployContract,
  faucet,
  mine,
  moveTime,
  resetNetwork,
  restoreSnapshot,
  rewindBefore,
  setBalance,
  setBlockMode,
  takeSnapshot,
} from './localNetworkControl';
import { copyAddress, copyLocalNetworkUrl, startLocalNetwork } from './localNetworkCommands';
import { registerLocalNetworkView } from './localNetworkView';

/** The embedded local network: its view and its commands. It starts on first use, or with the window if asked to. */
export function registerLocalNetwork(services: Services): vscode.Disposable {
  const { localNetwork, log } = services;
  if (readSetting(vscode.workspace, 'tonWorkbench.localNetwork.startWithWindow')) {
    localNetwork.ensureRunning().catch((error: unknown) => showError(error, log));
  }
  return vscode.Disposable.from(
    registerLocalNetworkView(services),
    registerCommands(log, {
      'tonWorkbench.startLocalNetwork': () => startLocalNetwork(services),
      'tonWorkbench.stopLocalNetwork': () => localNetwork.stop(),
      'tonWorkbench.copyLocalNetworkUrl': () => copyLocalNetworkUrl(services),
      'tonWorkbench.localFaucet': (item) => faucet(services, item),
      'tonWorkbench.localSetBalance': (item) => setBalance(services, item),
      'tonWorkbench.localMine': () => mine(services),
      'tonWorkbench.localMoveTime': () => moveTime(services),
      'tonWorkbench.localBlockMode': () => setBlockMode(services),
      'tonWorkbench.localSnapshot': () => takeSnapshot(services),
      'tonWorkbench.localRestore': () => restoreSnapshot(services),
      'tonWorkbench.localRewind': (item) => rewindBefore(services, traceOf(item)),
      'tonWorkbench.localReset': () => resetNetwork(services),
      'tonWorkbench.localDeploy': (file) => deployContract(services, file),
      'tonWorkbench.copyAddress': (item) => copyAddress(item),
    }),
  );
}

/** The transaction hash, lower-case hex, of a row of the view Traces. */
function traceOf(item: unknown): string {
  const id = (item as { trace?: { model?: { id?: string } } } | undefined)?.trace?.model?.id ?? '';
  return Buffer.from(id, 'base64').toString('hex');
}
