import * as vscode from 'vscode';
import { localAccounts } from '../accounts/knownAccounts';
import type { Services } from '../services';
import type { LocalItem } from './localElement';
import type { RunningLocalNetwork } from '../networks/localNetwork';
import { clockWords } from '../../toolkit/localnet/localNetworkWords';
import type { localItem } from './localItem';
import { KeptRows } from '../ui/keptRows';
import { LazyTree } from '../ui/lazyTree';

/** Milliseconds; blocks come in bursts, and the tree is refreshed once after the last one. */
const debounceMs = 100;

/**
 * The view "Local Network": contracts and accounts with their balances. Its empty state offers to start the
 * network.
 */
export function registerLocalNetworkView(services: Services): vscode.Disposable {
  const provider = new LocalRows(services);
  const tree = new LazyTree<LocalItem>('localNetwork', services.log);
  tree.attach(provider);
  const { view } = tree;
  const describe = (): void => {
    const state = services.localNetwork.state();
    view.description = state.kind === 'running' ? description(state) : '';
    view.message = state.kind === 'failed' ? `The local network is not running: ${state.message}` : undefined;
    provider.refresh();
  };
  describe();
  return vscode.Disposable.from(
    tree,
    provider,
    services.localNetwork.onDidChange(describe),
    services.pins.onDidChange(() => provider.refresh()),
  );
}

function description(running: RunningLocalNetwork): string {
  const { port, block, fork, isShared } = running;
  return [
    ...(fork === undefined ? [] : [`fork of ${fork.network} at ${fork.seqno}`]),
    clockWords(running),
    `port ${port}`,
    `block ${block}`,
    ...(isShared ? ['shared'] : []),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function idOf(item: LocalItem): string {
  if ('account' in item) {
    return `account ${item.account.address}`;
  }
  if ('failed' in item) {
    return `failed ${item.failed.hash}`;
  }
  return 'fact' in item ? `fact ${item.fact}` : `problem ${item.problem}`;
}

class LocalRows implements vscode.TreeDataProvider<LocalItem>, vscode.Disposable {
  readonly #services: Services;
  readonly #changed = new vscode.EventEmitter<LocalItem[] | undefined>();
  readonly #rows = new KeptRows<LocalItem>(idOf);
  readonly onDidChangeTreeData = this.#changed.event;
  #balances = new Map<string, bigint>();
  /** The code that creates rows; loaded with the first of them. */
  #items: { localItem: typeof localItem } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Reads the balances before refreshing; only the first rows appear without them. */
  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#read().then(() => this.#show());
    }, debounceMs);
  }

  getChildren(element?: LocalItem): LocalItem[] {
    return element === undefined ? [...this.#rows.rows()] : [];
  }

  #show(): void {
    this.#changed.fire(this.#rows.update(this.#present()));
  }

  #present(): LocalItem[] {
    const state = this.#services.localNetwork.state();
    if (state.kind !== 'running' || this.#items === undefined) {
      return [];
    }
    const accounts = localAccounts(this.#services);
    const contracts = accounts.filter(({ isWallet }) => !isWallet);
    const wallets = accounts.filter(({ isWallet }) => isWallet);
    return [
      ...state.problems.map((problem) => ({ problem })),
      ...state.failed.map((failed) => ({ failed })),
      ...[...contracts, ...wallets].map((account) => ({ account })),
      { fact: 'configuration' },
      { fact: 'requests' },
    ];
  }

  getTreeItem(element: LocalItem): vscode.TreeItem {
    return this.#items?.localItem(element, this.#services, this.#balances) ?? new vscode.TreeItem('…');
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
  }

  async #read(): Promise<void> {
    if (this.#services.localNetwork.state().kind !== 'running') {
      return;
    }
    this.#items ??= await import('./localItem');
    if (this.#balances.size === 0) {
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
