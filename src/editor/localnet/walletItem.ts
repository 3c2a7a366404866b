import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import { counted } from '../../toolkit/trace/figures';
import type { LocalItem, LocalWalletItem, WalletViewState } from './localElement';

/** The rows below the wallet's row: pending requests, then connected dApps. */
export function walletChildren(state: WalletViewState | undefined): LocalItem[] {
  return [
    ...(state?.requests ?? []).map((request) => ({ request })),
    ...(state?.dApps ?? []).map((dApp) => ({ dApp })),
  ];
}

/** The badge of the view: how many requests wait. */
export function walletBadge(state: WalletViewState | undefined): vscode.ViewBadge | undefined {
  const pending = state?.requests.length ?? 0;
  const tooltip = `${pending} ${pending === 1 ? 'request waits' : 'requests wait'} for a decision`;
  return pending === 0 ? undefined : { value: pending, tooltip };
}

/** A row of the test wallet. */
export function walletItem(element: LocalWalletItem, state: WalletViewState | undefined): vscode.TreeItem {
  if ('request' in element) {
    const { number, label, description } = element.request;
    const item = new vscode.TreeItem(label);
    item.id = `wallet request ${number}`;
    item.description = description;
    item.iconPath = new vscode.ThemeIcon('question', new vscode.ThemeColor('list.warningForeground'));
    item.contextValue = 'walletRequest';
    item.tooltip = `${label}\n${description}\nWaits for your decision.`;
    item.command = asCommand('tonWorkbench.openWalletRequest', 'Review', { request: { number } });
    return item;
  }
  if ('dApp' in element) {
    const { session, label, description, tooltip } = element.dApp;
    const item = new vscode.TreeItem(label);
    item.id = `wallet dApp ${session}`;
    item.description = description;
    item.tooltip = tooltip;
    item.iconPath = new vscode.ThemeIcon('plug');
    item.contextValue = 'walletDApp';
    return item;
  }
  return rootItem(state);
}

function rootItem(state: WalletViewState | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem('Wallet');
  // Another row while it runs: rows keep whether they are expanded, and the stopped one cannot be.
  item.id = state === undefined ? 'wallet stopped' : 'wallet';
  item.iconPath = new vscode.ThemeIcon('credit-card');
  if (state === undefined) {
    item.contextValue = 'walletStopped';
    item.description = 'for dApps (TON Connect); not running';
    item.tooltip = 'Start a test wallet that dApps on this machine connect to.';
    item.command = asCommand('tonWorkbench.startWallet', 'Start Test Wallet');
    return item;
  }
  const { account, port, mode, requests, dApps } = state;
  item.contextValue = 'walletRunning';
  item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
  item.description =
    requests.length > 0
      ? `${account}, ${requests.length} pending`
      : `${account}, ${dApps.length === 0 ? 'no dApp connected' : counted(dApps.length, 'dApp')}`;
  item.tooltip = `Test wallet with the account ${account} on port ${port}; for dApps that connect next, it ${mode}.`;
  item.command = asCommand('tonWorkbench.walletSettings', 'Set Up Test Wallet…');
  return item;
}
