import * as vscode from 'vscode';
import { localAccounts } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { KeptRows } from '../ui/keptRows';
import type { LocalItem } from './localElement';
import { localItem } from './localItem';
import { walletBadge, walletChildren, walletItem } from './walletItem';
import type { WalletView } from './walletView';

/** Milliseconds; blocks come in bursts, and the tree is refreshed once after the last one. */
const debounceMs = 100;

function idOf(item: LocalItem): string {
  if ('account' in item) {
    return `account ${item.account.address}`;
  }
  if ('failed' in item) {
    return `failed ${item.failed.hash}`;
  }
  if ('faults' in item) {
    return 'faults';
  }
  if ('wallet' in item || 'dApp' in item || 'request' in item) {
    return 'wallet';
  }
  return 'fact' in item ? `fact ${item.fact}` : `problem ${item.problem}`;
}

/** The rows of the view "Local Network": problems, contracts, and wallets with their balances. */
export class LocalRows implements vscode.TreeDataProvider<LocalItem>, vscode.Disposable {
  readonly #services: Services;
  readonly #changed = new vscode.EventEmitter<LocalItem[] | undefined>();
  readonly #rows = new KeptRows<LocalItem>(idOf);
  readonly onDidChangeTreeData = this.#changed.event;
  #balances = new Map<string, bigint>();
  #timer: NodeJS.Timeout | undefined;

  readonly #wallet: WalletView;
  readonly #watch: vscode.Disposable;

  /** @param view gets a badge for the requests to the test wallet */
  constructor(services: Services, wallet: WalletView, view: Pick<vscode.TreeView<LocalItem>, 'badge'>) {
    this.#services = services;
    this.#wallet = wallet;
    this.#watch = wallet.onDidChange(() => {
      view.badge = walletBadge(wallet.state());
      this.#rows.update(this.#present());
      this.#changed.fire(undefined);
    });
  }

  /** Reads the balances before refreshing; only the first rows appear without them. */
  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#read().then(() => this.#show());
    }, debounceMs);
  }

  getChildren(element?: LocalItem): LocalItem[] {
    if (element === undefined) {
      return [...this.#rows.rows()];
    }
    return 'wallet' in element ? walletChildren(this.#wallet.state()) : [];
  }

  #show(): void {
    this.#changed.fire(this.#rows.update(this.#present()));
  }

  #present(): LocalItem[] {
    const state = this.#services.localNetwork.state();
    if (state.kind !== 'running') {
      return [];
    }
    const accounts = localAccounts(this.#services);
    const contracts = accounts.filter(({ isWallet }) => !isWallet);
    const wallets = accounts.filter(({ isWallet }) => isWallet);
    // A running wallet waits for decisions, and is not to be searched for.
    const wallet: LocalItem[] = [{ wallet: true }];
    const isWalletOn = this.#wallet.state() !== undefined;
    return [
      ...(state.faults === undefined ? [] : [{ faults: state.faults }]),
      ...(isWalletOn ? wallet : []),
      ...state.problems.map((problem) => ({ problem })),
      ...state.failed.map((failed) => ({ failed })),
      ...[...contracts, ...wallets].map((account) => ({ account })),
      ...(isWalletOn ? [] : wallet),
      { fact: 'configuration' },
      { fact: 'requests' },
    ];
  }

  getTreeItem(element: LocalItem): vscode.TreeItem {
    return 'wallet' in element || 'dApp' in element || 'request' in element
      ? walletItem(element, this.#wallet.state())
      : localItem(element, this.#services, this.#balances);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#watch.dispose();
    this.#changed.dispose();
  }

  async #read(): Promise<void> {
    if (this.#services.localNetwork.state().kind !== 'running') {
      this.#balances = new Map();
      return;
    }
    // A fork reads its accounts from another network, and the rows do not wait for that.
    if (this.#rows.rows().length === 0) {
      this.#show();
    }
    try {
      const access = await this.#services.connections.to(this.#services.networks.local());
      const answer = await access.v3.accountStates({
        address: localAccounts(this.#services).map(({ address }) => address),
        include_boc: false,
      });
      this.#balances = new Map(
        (answer.accounts ?? []).flatMap((row) =>
          row.address == null ? [] : [[row.address, row.balance ?? 0n]],
        ),
      );
    } catch (error) {
      this.#services.log.warn(`balances of the local accounts: ${String(error)}`);
    }
  }
}
