import * as vscode from 'vscode';
import type { WalletViewState } from '../localnet/localElement';
import type { LocalServerView } from '../localnet/registerLocalServer';

/** The status bar item of the test wallet, while it runs: what waits for a decision. */
export function registerWalletStatus(wallet: LocalServerView<WalletViewState>): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('tonWorkbench.wallet', vscode.StatusBarAlignment.Left, 48);
  item.name = 'TON Test Wallet';
  item.command = 'tonWorkbench.localNetwork.focus';
  const update = (): void => {
    const state = wallet.state();
    if (state === undefined) {
      item.hide();
      return;
    }
    const { account, port, mode, requests, dApps } = state;
    const pending = requests.length === 0 ? '' : `: ${requests.length} pending`;
    item.text = `$(credit-card) Wallet ${account}${pending}`;
    item.backgroundColor =
      requests.length === 0 ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground');
    item.tooltip = `Test wallet on port ${port}; connected dApps: ${dApps.length}; for those that connect next, it ${mode}`;
    item.accessibilityInformation = {
      label: `Test wallet of ${account} on port ${port}, requests that wait for a decision: ${requests.length}`,
      role: 'button',
    };
    item.show();
  };
  update();
  return vscode.Disposable.from(item, wallet.onDidChange(update));
}
