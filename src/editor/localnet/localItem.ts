import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import { accountWord } from '../accounts/accountWord';
import type { Services } from '../services';
import { coinLabel } from '../ui/coinLabel';
import { formatCoins } from '../../toolkit/trace/figures';
import { describeFaults } from '../../toolkit/localnet/faults/faultPresets';
import { shortCoins } from '../../toolkit/trace/shortCoins';
import type {
  LocalAccountItem,
  LocalFactItem,
  LocalFailureItem,
  LocalFaultsItem,
  LocalItem,
  LocalProblemItem,
  LocalServerItem,
} from './localElement';
import { wholeAddress } from '../../toolkit/address/shortAddress';

/** A row of the view "Local Network". */
export function localItem(
  element: Exclude<LocalItem, LocalServerItem>,
  services: Services,
  balances: ReadonlyMap<string, bigint>,
): vscode.TreeItem {
  if ('problem' in element) {
    return problemItem(element);
  }
  if ('failed' in element) {
    return failureItem(element, services);
  }
  if ('faults' in element) {
    return faultsItem(element);
  }
  return 'fact' in element ? factItem(element, services) : accountItem(element, balances);
}

function accountItem({ account }: LocalAccountItem, balances: ReadonlyMap<string, bigint>): vscode.TreeItem {
  const label = coinLabel();
  const balance = balances.get(account.address);
  const item = new vscode.TreeItem(account.name);
  item.id = account.address;
  item.description = account.kind + (balance === undefined ? '' : `  ${shortCoins(balance)} ${label}`);
  item.iconPath = new vscode.ThemeIcon(account.isWallet ? 'account' : 'file-code');
  item.contextValue = 'account';
  item.command = asCommand('tonWorkbench.openAccount', 'Open Account', {
    account: { address: account.address },
  });
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(`${account.name}, ${account.kind}`);
  tooltip.appendMarkdown(`\n\n\`${wholeAddress(account.address)}\`\n\n`);
  tooltip.appendText(balance === undefined ? '' : `${formatCoins(balance)} ${label}`);
  item.tooltip = tooltip;
  return item;
}

function problemItem({ problem }: LocalProblemItem): vscode.TreeItem {
  const item = new vscode.TreeItem('Problem with the saved state');
  item.id = `problem ${problem}`;
  item.description = problem;
  item.tooltip = problem;
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.accessibilityInformation = { label: `warning: ${problem}` };
  item.command = asCommand('tonWorkbench.showLog', 'Show Log');
  return item;
}

function faultsItem({ faults }: LocalFaultsItem): vscode.TreeItem {
  const item = new vscode.TreeItem('Injects faults');
  const words = describeFaults(faults);
  item.id = 'faults';
  item.description = `${words}, click to end`;
  item.tooltip = `The answers of both APIs have faults: ${words}. Click to end that.`;
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.accessibilityInformation = { label: `warning: the local network injects faults: ${words}` };
  item.command = asCommand('tonWorkbench.localBehave', 'Stop Injecting Faults');
  return item;
}

function failureItem(
  { failed: { hash, destination, value, error } }: LocalFailureItem,
  services: Services,
): vscode.TreeItem {
  const to = accountWord(services, services.networks.local())(destination);
  const item = new vscode.TreeItem(`Message to ${to} failed`);
  item.id = `failed ${hash}`;
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'));
  const label = coinLabel();
  const coins = value === null ? undefined : `${shortCoins(BigInt(value))} ${label}`;
  item.description = ['emulator error', ...(coins === undefined ? [] : [coins])].join('  ');
  item.tooltip = `${error}.\n\nThe message${coins === undefined ? ' is' : ` and its ${coins} are`} kept: retry it, or discard it.\n\n${hash}`;
  item.contextValue = 'failedMessage';
  return item;
}

function factItem({ fact }: LocalFactItem, services: Services): vscode.TreeItem {
  if (fact === 'requests') {
    const item = new vscode.TreeItem('Requests');
    item.iconPath = new vscode.ThemeIcon('list-unordered');
    item.description = 'HTTP requests, with replay';
    item.command = asCommand('tonWorkbench.localRequests', 'Show');
    return item;
  }
  const state = services.localNetwork.state();
  const item = new vscode.TreeItem('Configuration');
  item.iconPath = new vscode.ThemeIcon('settings');
  item.description = state.kind === 'running' ? state.configOrigin : '';
  item.tooltip = `Fees and limits of this network: ${item.description}`;
  item.contextValue = 'configuration';
  return item;
}
