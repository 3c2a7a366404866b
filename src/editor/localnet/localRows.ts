import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import { wholeAddress } from '../../toolkit/address/shortAddress';
import { describeFaults } from '../../toolkit/localnet/faults/faults';
import { counted, formatCoins, shortCoins } from '../../toolkit/trace/figures';
import { accountWord, localAccounts } from '../project/accountName';
import type { Services } from '../project/services';
import { coinLabel } from '../ui/readWorkspaceFile';
import { KeptRows } from '../ui/keptRows';
import type {
  LocalAccountItem,
  LocalFactItem,
  LocalFailureItem,
  LocalFaultsItem,
  LocalItem,
  LocalPaymentItem,
  LocalProblemItem,
  LocalServerItem,
  LocalServers,
  LocalWalletItem,
  WalletViewState,
} from './localElement';
import { paymentChildren, paymentItem } from './localElement';

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

/** The rows below the wallet's row: pending requests, then connected dApps. */
function walletChildren(state: WalletViewState | undefined): LocalItem[] {
  return [
    ...(state?.requests ?? []).map((request) => ({ request })),
    ...(state?.dApps ?? []).map((dApp) => ({ dApp })),
  ];
}

/** The badge of the view: how many requests wait. */
function walletBadge(state: WalletViewState | undefined): vscode.ViewBadge | undefined {
  const pending = state?.requests.length ?? 0;
  const tooltip = `${pending} ${pending === 1 ? 'request waits' : 'requests wait'} for a decision`;
  return pending === 0 ? undefined : { value: pending, tooltip };
}

/** A row of the test wallet. */
function walletItem(element: LocalWalletItem, state: WalletViewState | undefined): vscode.TreeItem {
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

/** A row of the view "Local Network". */
function localItem(
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
  item.tooltip = `The answers of both APIs have faults: ${words}. Click to stop.`;
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
