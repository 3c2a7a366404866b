import * as vscode from 'vscode';
import { localAccounts } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { KeptRows } from '../ui/keptRows';
import type {
  LocalItem,
  LocalPaymentItem,
  LocalServerItem,
  LocalServers,
  LocalWalletItem,
} from './localElement';
import { localItem } from './localItem';
import { paymentChildren, paymentItem } from './paymentItem';
import { walletBadge, walletChildren, walletItem } from './walletItem';

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
  if (isWalletItem(item)) {
    return 'wallet';
  }
  if (isPaymentItem(item)) {
    return 'payments';
  }
  return 'fact' in item ? `fact ${item.fact}` : `problem ${item.problem}`;
}

function isWalletItem(item: LocalItem): item is LocalWalletItem {
  return 'wallet' in item || 'dApp' in item || 'request' in item;
}

function isPaymentItem(item: LocalItem): item is LocalPaymentItem {
  return 'payments' in item || 'payment' in item || 'paymentNote' in item;
}

/** The rows of the view "Local Network": problems, contracts, and wallets with their balances. */
export class LocalRows implements vscode.TreeDataProvider<LocalItem>, vscode.Disposable {
  readonly #services: Services;
  readonly #changed = new vscode.EventEmitter<LocalItem[] | undefined>();
  readonly #rows = new KeptRows<LocalItem>(idOf);
  readonly onDidChangeTreeData = this.#changed.event;
  #balances = new Map<string, bigint>();
  #timer: NodeJS.Timeout | undefined;

  readonly #servers: LocalServers;
  readonly #watch: vscode.Disposable;

  /** @param view gets a badge for the requests to the test wallet */
  constructor(services: Services, servers: LocalServers, view: Pick<vscode.TreeView<LocalItem>, 'badge'>) {
    const { wallet, payments } = servers;
    this.#services = services;
    this.#servers = servers;
    const update = (): void => {
      view.badge = walletBadge(wallet.state());
      this.#rows.update(this.#present());
      this.#changed.fire(undefined);
    };
    this.#watch = vscode.Disposable.from(wallet.onDidChange(update), payments.onDidChange(update));
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
    if ('wallet' in element) {
      return walletChildren(this.#servers.wallet.state());
    }
    return 'payments' in element ? paymentChildren(this.#servers.payments.state()) : [];
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
    // A running wallet waits for decisions, and is not to be searched for; nor are payments.
    const running: [LocalServerItem, boolean][] = [
      [{ wallet: true }, this.#servers.wallet.state() !== undefined],
      [{ payments: true }, this.#servers.payments.state() !== undefined],
    ];
    const servers = (areOn: boolean): LocalItem[] =>
      running.flatMap(([item, isOn]) => (isOn === areOn ? [item] : []));
    return [
      ...(state.faults === undefined ? [] : [{ faults: state.faults }]),
      ...servers(true),
      ...state.problems.map((problem) => ({ problem })),
      ...state.failed.map((failed) => ({ failed })),
      ...[...contracts, ...wallets].map((account) => ({ account })),
      ...servers(false),
      { fact: 'configuration' },
      { fact: 'requests' },
    ];
  }

  getTreeItem(element: LocalItem): vscode.TreeItem {
    if (isWalletItem(element)) {
      return walletItem(element, this.#servers.wallet.state());
    }
    return isPaymentItem(element)
      ? paymentItem(element, this.#servers.payments.state())
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
