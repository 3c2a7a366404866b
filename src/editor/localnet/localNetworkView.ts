import * as vscode from 'vscode';
import { readSetting, views } from '../../contributions';
import type { LocalAccount } from '../../toolkit/localnet/localnet';
import type { Services } from '../services';
import { shortCoins } from '../ui/shortCoins';

/** One funded account of the local network, as a row. */
export interface LocalAccountItem {
  account: LocalAccount;
}

/** Blocks come in bursts; the tree follows the last one. */
const debounceMs = 100;

/** The view "Local Network": its accounts with their balances. Its empty state offers the start. */
export function registerLocalNetworkView(services: Services): vscode.Disposable {
  const provider = new LocalAccounts(services);
  const view = vscode.window.createTreeView(views.localNetwork, { treeDataProvider: provider });
  const describe = (): void => {
    const state = services.localNetwork.state();
    view.description = state.kind === 'running' ? `port ${state.port}, block ${state.block}` : '';
    view.message = state.kind === 'failed' ? `The local network could not run: ${state.message}` : undefined;
    provider.refresh();
  };
  describe();
  return vscode.Disposable.from(view, provider, services.localNetwork.onDidChange(describe));
}

class LocalAccounts implements vscode.TreeDataProvider<LocalAccountItem>, vscode.Disposable {
  readonly #services: Services;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  #balances = new Map<string, bigint>();
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed.fire();
    }, debounceMs);
  }

  async getChildren(element?: LocalAccountItem): Promise<LocalAccountItem[]> {
    const state = this.#services.localNetwork.state();
    if (element !== undefined || state.kind !== 'running') {
      return [];
    }
    await this.#readBalances(state.accounts);
    return state.accounts.map((account) => ({ account }));
  }

  getTreeItem({ account }: LocalAccountItem): vscode.TreeItem {
    const label = readSetting(vscode.workspace, 'tonWorkbench.coinLabel');
    const balance = this.#balances.get(account.address);
    const item = new vscode.TreeItem(account.name);
    item.id = account.address;
    item.description =
      `wallet ${account.kind}` + (balance === undefined ? '' : `  ${shortCoins(balance)} ${label}`);
    item.iconPath = new vscode.ThemeIcon('account');
    item.contextValue = 'account';
    const tooltip = new vscode.MarkdownString();
    tooltip.appendText(`${account.name}, wallet ${account.kind}`);
    tooltip.appendMarkdown(`\n\n\`${account.address}\`\n\n`);
    tooltip.appendText(balance === undefined ? '' : `${balance} nanocoins`);
    item.tooltip = tooltip;
    return item;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
  }

  async #readBalances(accounts: readonly LocalAccount[]): Promise<void> {
    try {
      const access = await this.#services.connections.to(this.#services.networks.list()[0]!);
      const answer = await access.v3.accountStates({
        address: accounts.map((account) => account.address),
        include_boc: false,
      });
      this.#balances = new Map((answer.accounts ?? []).map((row) => [row.address, row.balance ?? 0n]));
    } catch (error) {
      this.#services.log.warn(`balances of the local accounts: ${String(error)}`);
    }
  }
}
