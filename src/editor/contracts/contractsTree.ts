import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { ContractDescription, ContractMethod } from '../../toolkit/abi/describeContract';
import { changeText, summaryText } from '../../toolkit/getMethods/summaryText';
import type { Services } from '../services';
import { shortCoins } from '../../toolkit/trace/shortCoins';
import type { ContractState } from '../../toolkit/accounts/contractStates';
import type { PinnedCall, PinnedContract } from '../accounts/pinnedContracts';
import type { Watches } from './watches';
import { coinLabel } from '../ui/coinLabel';
import { KeptRows } from '../ui/keptRows';
import { ownValue } from '../../toolkit/ownValue';
import { shortenMiddle } from '../../toolkit/text';

/** A row of the view, as passed to its commands. */
export type ContractElement =
  | { kind: 'contract'; pin: PinnedContract; account: { address: string } }
  | { kind: 'method'; pin: PinnedContract; method: ContractMethod };

const debounceMs = 120;
/** Milliseconds for which a change is highlighted. */
const freshMs = 8_000;

/**
 * The rows of the view "Contracts": the current network's pinned contracts and their get-methods with the last
 * answers. Rows are made from what was read before, and unchanged ones keep their objects: see KeptRows.
 */
export class ContractsTree implements vscode.TreeDataProvider<ContractElement>, vscode.Disposable {
  readonly #services: Services;
  readonly #watches: Watches;
  readonly #changed = new vscode.EventEmitter<ContractElement[] | undefined>();
  readonly #contracts = this.#keptRows();
  /** By the contract's key. */
  readonly #methods = new Map<string, KeptRows<ContractElement>>();
  /** Each row's appearance when the editor last asked for it. */
  readonly #looks = new WeakMap<ContractElement, string>();
  readonly onDidChangeTreeData = this.#changed.event;
  #states = new Map<string, ContractState>();
  readonly #descriptions = new Map<string, ContractDescription>();
  #timer: NodeJS.Timeout | undefined;
  #fading: NodeJS.Timeout | undefined;
  /** The network that was read. */
  #network: string | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(services: Services, watches: Watches) {
    this.#services = services;
    this.#watches = watches;
  }

  /** Shows what is known without asking the network, except about contracts that were never read. */
  show(): void {
    const isKnown = this.#pins().every(({ address }) => this.#states.has(address));
    if (isKnown) {
      this.#show();
    } else {
      this.refresh();
    }
  }

  /** Reads the contracts again, then shows them. */
  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#read().then(() => this.#show());
    }, debounceMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#fading);
    this.#changed.dispose();
  }

  async getChildren(element?: ContractElement): Promise<ContractElement[]> {
    if (element === undefined) {
      if (this.#network !== this.#services.networks.current().name) {
        await this.#read();
      }
      this.#contracts.update(this.#contractRows());
      return [...this.#contracts.rows()];
    }
    if (element.kind === 'method') {
      return [];
    }
    const { pin } = element;
    if (!this.#descriptions.has(keyOf(pin))) {
      await this.#describe(pin);
    }
    const kept = this.#methods.get(keyOf(pin)) ?? this.#keptRows();
    this.#methods.set(keyOf(pin), kept);
    kept.update(this.#methodRows(pin));
    return [...kept.rows()];
  }

  getTreeItem(element: ContractElement): vscode.TreeItem {
    const item = this.#item(element);
    this.#looks.set(element, lookOf(item));
    return item;
  }

  #item(element: ContractElement): vscode.TreeItem {
    return element.kind === 'contract' ? this.#contractItem(element.pin) : this.#methodItem(element);
  }

  #keptRows(): KeptRows<ContractElement> {
    return new KeptRows(
      (row) => (row.kind === 'contract' ? keyOf(row.pin) : row.method.name),
      (before, now) => this.#looks.get(before) === lookOf(this.#item(now)),
    );
  }

  /** Refreshes rows whose appearance has changed. */
  #show(): void {
    const changed = this.#contracts.update(this.#contractRows());
    const below = this.#contracts.rows().flatMap((row) => {
      const kept = this.#methods.get(keyOf(row.pin));
      return kept === undefined ? [] : (kept.update(this.#methodRows(row.pin)) ?? [row]);
    });
    if (changed === undefined || changed.length + below.length > 0) {
      this.#changed.fire(changed && [...changed, ...below]);
    }
  }

  #contractRows(): ContractElement[] {
    return this.#pins().map((pin) => ({ kind: 'contract', pin, account: { address: pin.address } }));
  }

  #methodRows(pin: PinnedContract): ContractElement[] {
    const known = this.#descriptions.get(keyOf(pin))?.methods ?? [];
    // Called methods stay visible even if nothing says that the contract has them.
    const called = Object.keys(pin.calls).filter((name) => !known.some((one) => one.name === name));
    const methods = [...known, ...called.map((name) => ({ name, origin: 'called before' }))];
    return methods.map((method) => ({ kind: 'method', pin, method }));
  }

  /** The highlight of a change ends automatically. */
  #fadeLater(): void {
    this.#fading ??= setTimeout(() => {
      this.#fading = undefined;
      this.#show();
    }, freshMs + debounceMs);
  }

  #pins(): readonly PinnedContract[] {
    return this.#services.pins.of(this.#services.networks.current().name);
  }

  /** One reading at a time, so that the newest result wins. */
  #read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readNow());
    return this.#reading;
  }

  /** If the network is stopped or does not answer, the rows keep what is known. */
  async #readNow(): Promise<void> {
    const network = this.#services.networks.current();
    const pins = this.#pins();
    if (this.#network !== network.name) {
      this.#states = new Map();
    }
    this.#network = network.name;
    if (pins.length === 0 || (network.v2 ?? network.v3) === undefined) {
      this.#states = new Map();
      return;
    }
    try {
      const { contractStates } = await import('../../toolkit/accounts/contractStates');
      const addresses = pins.map(({ address }) => address);
      const access = await this.#services.connections.to(network);
      const [states] = await Promise.all([
        contractStates(access, addresses),
        ...pins.map((pin) => this.#describe(pin)),
      ]);
      this.#states = states;
    } catch (error) {
      this.#services.log.warn(`pinned contracts on ${network.name}: ${String(error)}`);
    }
  }

  async #describe(pin: PinnedContract): Promise<ContractDescription | undefined> {
    const network = this.#services.networks.current();
    const { address } = pin;
    const key = keyOf(pin);
    if ((network.v2 ?? network.v3) !== undefined) {
      try {
        const { methodsOf } = await import('../project/methodsOf');
        this.#descriptions.set(key, await methodsOf(this.#services, network, address));
      } catch (error) {
        this.#services.log.debug(`methods of ${address}: ${String(error)}`);
      }
    }
    return this.#descriptions.get(key);
  }

  #contractItem(pin: PinnedContract): vscode.TreeItem {
    const state = this.#states.get(pin.address);
    const description = this.#descriptions.get(keyOf(pin));
    const names = [pin.name, this.#localName(pin), description?.name, shortenMiddle(pin.address)].filter(
      (name) => name !== undefined,
    );
    const coin = coinLabel();
    const [label = '', ...others] = names;
    const what = [...new Set(others.slice(0, 1))].concat(
      description?.interfaces.filter((one) => !names.join(' ').startsWith(one)) ?? [],
    );
    const facts = [
      ...what.slice(0, 2),
      ...(state === undefined ? ['loading…'] : [`${shortCoins(state.balance)} ${coin}`, state.status]),
    ];
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
    item.id = keyOf(pin);
    item.description = facts.join('  ');
    item.iconPath = new vscode.ThemeIcon(state?.status === 'active' ? 'symbol-class' : 'circle-outline');
    item.contextValue = 'pinnedContract';
    item.accessibilityInformation = { label: `${label}, ${facts.join(', ')}` };
    const tooltip = new vscode.MarkdownString();
    tooltip.appendText([label, ...facts].join(', '));
    if (description?.name !== undefined) {
      tooltip.appendText(`\n${description.name} by ${description.nameOrigin ?? 'its code'}`);
    }
    tooltip.appendMarkdown(`\n\n\`${pin.address}\`\n\n`);
    tooltip.appendText(state === undefined ? '' : `${state.balance} nanocoins\n`);
    tooltip.appendText(description?.codeHash === undefined ? '' : `code ${description.codeHash}`);
    item.tooltip = tooltip;
    return item;
  }

  /** The local network's wallets already have names. */
  #localName({ address }: PinnedContract): string | undefined {
    const state = this.#services.localNetwork.state();
    return state.kind === 'running'
      ? state.accounts.find((account) => account.address === address)?.name
      : undefined;
  }

  #methodItem({ pin, method }: ContractElement & { kind: 'method' }): vscode.TreeItem {
    const call = ownValue(pin.calls, method.name);
    const watch = this.#watches.find(pin.network, pin.address, method.name);
    const label = callText(method);
    const isFresh = call?.was !== undefined && Date.now() - call.at < freshMs;
    if (isFresh) {
      this.#fadeLater();
    }
    const item = new vscode.TreeItem(label);
    item.id = `${keyOf(pin)} ${method.name}`;
    item.description = call === undefined ? '' : answerText(call, isFresh);
    item.iconPath = methodIcon(call, watch !== undefined, isFresh);
    item.contextValue = watch === undefined ? 'pinnedMethod' : 'pinnedMethodWatched';
    item.command = asCommand('tonWorkbench.runPinnedMethod', 'Run', { pin, method });
    const spoken = [label, watch === undefined ? '' : 'watched', item.description, method.origin]
      .filter(Boolean)
      .join(', ');
    item.accessibilityInformation = { label: spoken };
    const tooltip = new vscode.MarkdownString();
    tooltip.appendText(`${label}\n${method.origin}`);
    if (call !== undefined) {
      tooltip.appendText(
        `\n${new Date(call.at).toISOString()} (UTC)\n${summaryText(call.answer)}${call.was === undefined ? '' : `\nbefore: ${summaryText(call.was)}`}`,
      );
    }
    item.tooltip = tooltip;
    return item;
  }
}

/** What is visible of a row. */
function lookOf({ label, description, contextValue, iconPath, tooltip }: vscode.TreeItem): string {
  const icon = iconPath instanceof vscode.ThemeIcon ? [iconPath.id, iconPath.color?.id] : [];
  const hover = tooltip instanceof vscode.MarkdownString ? tooltip.value : tooltip;
  return JSON.stringify([label, description, contextValue, icon, hover]);
}

function keyOf({ network, address }: PinnedContract): string {
  return `${network} ${address}`;
}

/** The method with its parameters' names. */
function callText({ name, signature }: ContractMethod): string {
  return signature === undefined
    ? name
    : `${name}(${signature.parameters.map((parameter) => parameter.name).join(', ')})`;
}

function answerText(call: PinnedCall, isFresh: boolean): string {
  const time = new Date(call.at).toLocaleTimeString();
  const change =
    isFresh && call.was !== undefined ? changeText(call.was, call.answer) : summaryText(call.answer);
  return `${change}  ${time}`;
}

function methodIcon(call: PinnedCall | undefined, isWatched: boolean, isFresh: boolean): vscode.ThemeIcon {
  if (isFresh) {
    return new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('charts.yellow'));
  }
  if (call?.failed === true) {
    return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
  }
  return new vscode.ThemeIcon(isWatched ? 'eye' : 'symbol-method');
}
