import * as vscode from 'vscode';
import type { CommandId } from '../../commandArguments';
import type { Network } from '../../toolkit/access/network';
import type { NetworkVersions } from '../../toolkit/access/networkVersions';
import { localNetworkWords } from '../../toolkit/localnet/localNetworkWords';
import { afterStart } from '../ui/afterStart';
import { registerCommands } from '../ui/registerCommands';
import type { LocalNetwork, RunningLocalNetwork } from './localNetwork';
import type { NetworkServices } from './diagnoseNetworkCommand';
import type { OwnWallet } from './switchNetwork';

/** Choosing the network, its status bar item, and the API keys. */
export function registerNetworks(services: NetworkServices, ownWallet: OwnWallet): vscode.Disposable {
  return vscode.Disposable.from(
    services.networks.register(),
    registerNetworkStatus(services),
    registerCommands(services.log, {
      'tonWorkbench.switchNetwork': async () =>
        (await import('./switchNetwork')).switchNetwork(services, ownWallet),
      'tonWorkbench.addNetwork': async () => (await import('./addNetwork')).addNetwork(services),
      'tonWorkbench.diagnoseNetwork': async () =>
        (await import('./diagnoseNetworkCommand')).diagnoseNetworkCommand(services),
      'tonWorkbench.setApiKey': async () => (await import('./apiKeyCommands')).setApiKey(services),
    }),
  );
}

/** The status bar item of the current network; the main network has the warning color. */
function registerNetworkStatus({ networks, localNetwork, connections }: NetworkServices): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('tonWorkbench.network', vscode.StatusBarAlignment.Left, 50);
  item.name = 'TON Network';
  item.command = 'tonWorkbench.switchNetwork' satisfies CommandId;
  const update = (): void => {
    const network = networks.current();
    const { text, label } = describe(network, localNetwork, connections.isUnreachable(network));
    item.text = text;
    item.tooltip = tooltip(network, label, connections.versions(network));
    item.accessibilityInformation = { label: `TON network: ${label}`, role: 'button' };
    item.backgroundColor =
      network.kind === 'mainnet' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  };
  const start = (): void => {
    update();
    item.show();
  };
  return vscode.Disposable.from(
    item,
    afterStart(start),
    networks.onDidChange(update),
    localNetwork.onDidChange(update),
    connections.onDidLearn(update),
  );
}

function describe(
  network: Network,
  local: LocalNetwork,
  isUnreachable: boolean,
): { text: string; label: string } {
  if (network.kind !== 'local') {
    if (isUnreachable) {
      return { text: `$(debug-disconnect) TON ${network.name}`, label: `${network.name}, cannot be reached` };
    }
    const icon = network.kind === 'mainnet' ? 'warning' : 'globe';
    return { text: `$(${icon}) TON ${network.name}`, label: network.name };
  }
  const state = local.state();
  switch (state.kind) {
    case 'stopped':
      return { text: '$(circle-outline) TON Local', label: 'Local network, starts on first use' };
    case 'starting':
      return { text: '$(loading~spin) TON Local', label: 'Local, starting' };
    case 'failed':
      return { text: '$(error) TON Local', label: `Local, failed: ${state.message}` };
    case 'running':
      return runningWords(state);
  }
}

function runningWords(state: RunningLocalNetwork): { text: string; label: string } {
  const words = localNetworkWords(state);
  const gap = words === '' ? '' : ` ${words}`;
  const shared = state.isShared ? ', shared with another window' : '';
  const misbehaves = state.faults === undefined ? '' : ', injects faults';
  return {
    text: `$(${misbehaves === '' ? 'circle-filled' : 'warning'}) TON Local${gap} ${state.block}`,
    label: `Local${gap}, running on port ${state.port}, block ${state.block}${shared}${misbehaves}`,
  };
}

function tooltip(network: Network, label: string, versions?: NetworkVersions): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**TON network**\n\n');
  text.appendText(label);
  text.appendMarkdown('\n\n');
  for (const [api, url] of [
    ['v2', network.v2],
    ['v3', network.v3],
  ] as const) {
    text.appendMarkdown(`${api}: `);
    text.appendText(url ?? (network.kind === 'local' ? 'not running' : 'none'));
    text.appendText(versionOf(api, versions));
    text.appendMarkdown('  \n');
  }
  text.appendMarkdown(`global id: ${network.globalId}\n\nClick to switch.`);
  return text;
}

function versionOf(api: 'v2' | 'v3', versions: NetworkVersions | undefined): string {
  const known = versions?.[api];
  if (known?.version === undefined) {
    return '';
  }
  const variant = 'variant' in known && known.variant !== undefined ? `, the ${known.variant} service` : '';
  return ` (version ${known.version}${variant})`;
}
