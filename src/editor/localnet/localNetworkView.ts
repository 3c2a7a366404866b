import * as vscode from 'vscode';
import { asCommand, views } from '../../contributions';
import type { KnownAccount } from '../getMethods/knownAccounts';
import { localAccounts } from '../getMethods/knownAccounts';
import type { Services } from '../services';
import type { FailedMessageStatus } from '../../toolkit/localnet/localnet';
import { shortAddress } from '../ui/shortAddress';
import { shortCoins } from '../ui/shortCoins';
import type { RunningLocalNetwork } from './localNetwork';
import { coinLabel } from '../ui/coinLabel';

/** An account that has a name, as a row. */
export interface LocalAccountItem {
  account: KnownAccount;
}

/** Something else to know of the network, as a row. */
export interface LocalFactItem {
  fact: 'configuration' | 'requests';
}

/** A message that the emulator could not execute, as a row. */
export interface LocalFailureItem {
  failed: FailedMessageStatus;
}

/** What is wrong with the kept state, as a row. */
export interface LocalProblemItem {
  problem: string;
}

type Item = LocalAccountItem | LocalFactItem | LocalFailureItem | LocalProblemItem;

/** Blocks come in bursts; the tree follows the last one. */
const debounceMs = 100;

/** The view "Local Network": contracts and accounts with their balances. Its empty state offers the start. */
export function registerLocalNetworkView(services: Services): vscode.Disposable {
  const provider = new LocalRows(services);
  const view = vscode.window.createTreeView(views.localNetwork, { treeDataProvider: provider });
  const describe = (): void => {
    const state = services.localNetwork.state();
    view.description = state.kind === 'running' ? description(state) : '';
    view.message = state.kind === 'failed' ? `The local network could not run: ${state.message}` : undefined;
    provider.refresh();
  };
  describe();
  return vscode.Disposable.from(view, provider, services.localNetwork.onDidChange(describe));
}

function description({ port, block, fork }: RunningLocalNetwork): string {
  const origin = fork === undefined ? '' : `fork of ${fork.network} at ${fork.seqno}, `;
  return `${origin}port ${port}, block ${block}`;
}

class LocalRows implements vscode.TreeDataProvider<Item>, vscode.Disposable {
  readonly #services: Services;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  #balances = new Map<string, bigint>();
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Balances are read first: while the editor waits for rows, a click on one that is still in sight fails. */
  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#readBalances().then(() => this.#changed.fire());
    }, debounceMs);
  }

  getChildren(element?: Item): Item[] {
    const state = this.#services.localNetwork.state();
    if (element !== undefined || state.kind !== 'running') {
      return [];
    }
    const accounts = localAccounts(this.#services);
    const contracts = accounts.filter(({ kind }) => kind === 'contract');
    const wallets = accounts.filter(({ kind }) => kind !== 'contract');
    return [
      ...state.problems.map((problem) => ({ problem })),
      ...state.failed.map((failed) => ({ failed })),
      ...[...contracts, ...wallets].map((account) => ({ account })),
      { fact: 'configuration' },
      { fact: 'requests' },
    ];
  }

  getTreeItem(element: Item): vscode.TreeItem {
    if ('problem' in element) {
      return this.#problem(element);
    }
    return 'failed' in element
      ? this.#failure(element)
      : 'fact' in element
        ? this.#fact(element)
        : this.#account(element);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
  }

  #account({ account }: LocalAccountItem): vscode.TreeItem {
    const label = coinLabel();
    const balance = this.#balances.get(account.address);
    const item = new vscode.TreeItem(account.name);
    item.id = account.address;
    item.description = account.kind + (balance === undefined ? '' : `  ${shortCoins(balance)} ${label}`);
    item.iconPath = new vscode.ThemeIcon(account.kind === 'contract' ? 'file-code' : 'account');
    item.contextValue = 'account';
    const tooltip = new vscode.MarkdownString();
    tooltip.appendText(`${account.name}, ${account.kind}`);
    tooltip.appendMarkdown(`\n\n\`${account.address}\`\n\n`);
    tooltip.appendText(balance === undefined ? '' : `${balance} nanocoins`);
    item.tooltip = tooltip;
    return item;
  }

  #problem({ problem }: LocalProblemItem): vscode.TreeItem {
    const item = new vscode.TreeItem('Problem with the kept state');
    item.id = `problem ${problem}`;
    item.description = problem;
    item.tooltip = problem;
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    item.accessibilityInformation = { label: `warning: ${problem}` };
    item.command = asCommand('tonWorkbench.showLog', 'Show Log');
    return item;
  }

  #failure({ failed: { hash, destination, value, error } }: LocalFailureItem): vscode.TreeItem {
    const to = localAccounts(this.#services).find(({ address }) => address === destination)?.name;
    const item = new vscode.TreeItem(
      `The emulator failed on a message to ${to ?? shortAddress(destination)}`,
    );
    item.id = `failed ${hash}`;
    item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'));
    const label = coinLabel();
    const coins = value === null ? '' : `${shortCoins(BigInt(value))} ${label} wait with it. `;
    item.description = value === null ? '' : `${shortCoins(BigInt(value))} ${label}`;
    item.tooltip = `${error}.\n\n${coins}Nothing is lost: try it again, or give it up.\n\n${hash}`;
    item.contextValue = 'failedMessage';
    return item;
  }

  #fact({ fact }: LocalFactItem): vscode.TreeItem {
    if (fact === 'requests') {
      const item = new vscode.TreeItem('Requests');
      item.iconPath = new vscode.ThemeIcon('list-unordered');
      item.description = 'who asked what, and replay';
      item.command = asCommand('tonWorkbench.localRequests', 'Show');
      return item;
    }
    const state = this.#services.localNetwork.state();
    const item = new vscode.TreeItem('Configuration');
    item.iconPath = new vscode.ThemeIcon('settings');
    item.description = state.kind === 'running' ? state.configOrigin : '';
    item.tooltip = `Fees and limits of this network: ${item.description}`;
    item.contextValue = 'configuration';
    return item;
  }

  async #readBalances(): Promise<void> {
    if (this.#services.localNetwork.state().kind !== 'running') {
      return;
    }
    try {
      const access = await this.#services.connections.to(this.#services.networks.list()[0]!);
      const answer = await access.v3.accountStates({
        address: localAccounts(this.#services).map(({ address }) => address),
        include_boc: false,
      });
      this.#balances = new Map((answer.accounts ?? []).map((row) => [row.address, row.balance ?? 0n]));
    } catch (error) {
      this.#services.log.warn(`balances of the local accounts: ${String(error)}`);
    }
  }
}
