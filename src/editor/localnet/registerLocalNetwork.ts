import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Services } from '../services';
import { registerCommands } from '../ui/registerCommands';
import { showError } from '../ui/showError';
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
      'tonWorkbench.copyAddress': (item) => copyAddress(item),
    }),
  );
}
