import * as vscode from 'vscode';
import type { ContractDescription, ContractMethod } from '../../toolkit/contracts/abi/contractDescription';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import type { ContractState } from '../../toolkit/accounts/contractStates';
import { contractName } from '../../toolkit/build/readBuiltContract';
import { ownValue } from '../../toolkit/base/collections';
import type { Message } from '../../toolkit/contracts/layouts/messagesOfContract';
import { accountWord } from '../project/accountName';
import type { PinnedContract } from '../project/pinnedContracts';
import type { Services } from '../project/services';
import { KeptRows } from '../ui/keptRows';
import type { ContractElement, ContractElementRow } from './contractItems';
import {
  contractItem,
  elementKey,
  freshMs,
  groupItem,
  messageItem,
  methodItem,
  pinKey,
} from './contractItems';
import type { Watches } from './watches';

const debounceMs = 120;

/** A get-method of a pinned contract that takes no arguments. */
export interface PlainCall {
  pin: PinnedContract;
  method: ContractMethod;
}

/**
 * The rows of the view "Contracts": the current network's pinned contracts, their get-methods with the last
 * answers, and the messages they accept. Rows are built from data read earlier, and unchanged ones keep their
 * objects: see KeptRows.
 */
export class ContractsTree implements vscode.TreeDataProvider<ContractElement>, vscode.Disposable {
  readonly #services: Services;
  readonly #watches: Watches;
  readonly #changed = new vscode.EventEmitter<ContractElement[] | undefined>();
  readonly #contracts = this.#keptRows();
  /** The rows below each row, by its key. */
  readonly #below = new Map<string, KeptRows<ContractElement>>();
  /** Each row's appearance when the editor last asked for it. */
  readonly #looks = new WeakMap<ContractElement, string>();
  readonly onDidChangeTreeData = this.#changed.event;
  #states = new Map<string, ContractState>();
  /** The owners of those that are jetton wallets; raw addresses. */
  #owners = new Map<string, string>();
  readonly #descriptions = new Map<string, ContractDescription>();
  /** The sources of the contracts, by the contract's key. */
  readonly #files = new Map<string, string>();
  /** By the contract's key. */
  readonly #messages = new Map<string, readonly Message[]>();
  #timer: NodeJS.Timeout | undefined;
  #fading: NodeJS.Timeout | undefined;
  /** The network that the rows were read from. */
  #network: string | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(services: Services, watches: Watches) {
    this.#services = services;
    this.#watches = watches;
  }

  /** Shows what is already known; only contracts never read before are read from the network. */
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
    if (element.kind === 'contract' && !this.#descriptions.has(pinKey(element.pin))) {
      await this.#describe(element.pin);
    }
    // Kept if there are none, too: once there are some, the row is refreshed.
    const kept = this.#below.get(elementKey(element)) ?? this.#keptRows();
    this.#below.set(elementKey(element), kept);
    kept.update(this.#rowsBelow(element));
    return [...kept.rows()];
  }

  getParent(element: ContractElement): ContractElement | undefined {
    // Only contracts are revealed.
    return element.kind === 'contract'
      ? undefined
      : this.#contracts.rows().find(({ pin }) => pinKey(pin) === pinKey(element.pin));
  }

  /** The get-methods of the shown contracts that take no arguments and are not watched. */
  plainCalls(): PlainCall[] {
    return this.#pins().flatMap((pin) =>
      (this.#descriptions.get(pinKey(pin))?.methods ?? [])
        .filter(
          ({ name, signature }) =>
            signature?.parameters.length === 0 &&
            this.#watches.find(pin.network, pin.address, name) === undefined,
        )
        .map((method) => ({ pin, method })),
    );
  }

  /** The row of a pinned contract of the current network. */
  async contractRow(address: string): Promise<ContractElement | undefined> {
    if (this.#network !== this.#services.networks.current().name) {
      await this.#read();
    }
    // The editor is told about the rows first, because it cannot reveal one that only this tree knows.
    this.#show();
    return this.#contracts.rows().find(({ pin }) => pin.address === address);
  }

  getTreeItem(element: ContractElement): vscode.TreeItem {
    const item = this.#item(element);
    this.#looks.set(element, lookOf(item));
    return item;
  }

  #item(element: ContractElement): vscode.TreeItem {
    const { pin } = element;
    switch (element.kind) {
      case 'contract': {
        const word = accountWord(this.#services);
        const owner = this.#owners.get(pin.address);
        return contractItem(element, {
          state: this.#states.get(pin.address),
          description: this.#descriptions.get(pinKey(pin)),
          word: word(pin.address),
          owner: owner === undefined ? undefined : word(owner),
          isLocal: this.#services.networks.current().kind === 'local',
          file: this.#files.get(pinKey(pin)),
        });
      }
      case 'group':
        return groupItem(element);
      case 'message':
        return messageItem(element);
      case 'method': {
        const { name } = element.method;
        const call = ownValue(pin.calls, name);
        if (call?.was !== undefined && Date.now() - call.at < freshMs) {
          this.#fadeLater();
        }
        const isWatched = this.#watches.find(pin.network, pin.address, name) !== undefined;
        const state = this.#services.localNetwork.state();
        const isLocal = this.#services.networks.current().kind === 'local';
        const block = isLocal && state.kind === 'running' ? state.block : undefined;
        return methodItem(element, isWatched, Date.now(), block);
      }
    }
  }

  #keptRows(): KeptRows<ContractElement> {
    return new KeptRows(elementKey, (before, now) => this.#looks.get(before) === lookOf(this.#item(now)));
  }

  /** Refreshes rows whose appearance has changed. */
  #show(): void {
    const changed = this.#contracts.update(this.#contractRows());
    const below = this.#contracts.rows().flatMap((row) => this.#changedBelow(row));
    if (changed === undefined || changed.length + below.length > 0) {
      this.#changed.fire(changed && [...changed, ...below]);
    }
  }

  /** The rows to refresh below one that was shown. */
  #changedBelow(row: ContractElement): ContractElement[] {
    const kept = this.#below.get(elementKey(row));
    if (kept === undefined) {
      return [];
    }
    const changed = kept.update(this.#rowsBelow(row));
    return changed === undefined
      ? [row]
      : [...changed, ...kept.rows().flatMap((one) => this.#changedBelow(one))];
  }

  #contractRows(): ContractElementRow[] {
    return this.#pins().map((pin) => ({
      kind: 'contract',
      pin,
      account: { address: pin.address },
      contract: this.#descriptions.get(pinKey(pin))?.name,
    }));
  }

  #rowsBelow(row: ContractElement): ContractElement[] {
    const { pin } = row;
    switch (row.kind) {
      case 'contract':
        return this.#messageRows(pin).length === 0
          ? this.#methodRows(pin)
          : [
              { kind: 'group', pin, group: 'reads' },
              { kind: 'group', pin, group: 'messages' },
            ];
      case 'group':
        return row.group === 'reads' ? this.#methodRows(pin) : this.#messageRows(pin);
      default:
        return [];
    }
  }

  #methodRows(pin: PinnedContract): ContractElement[] {
    const description = this.#descriptions.get(pinKey(pin));
    const known = description?.methods ?? [];
    // Called methods stay visible even if nothing says that the contract has them.
    const called = Object.keys(pin.calls).filter((name) => !known.some((one) => one.name === name));
    const methods = [...known, ...called.map((name) => ({ name, origin: 'called before' }))];
    return methods.map((method) => ({ kind: 'method', pin, method, contract: description?.name }));
  }

  #messageRows(pin: PinnedContract): ContractElement[] {
    const { name: contract = '' } = this.#descriptions.get(pinKey(pin)) ?? {};
    return (this.#messages.get(pinKey(pin)) ?? []).map(({ layout }) => ({
      kind: 'message',
      pin,
      contract,
      target: { message: layout.name, contract: contractName(contract), address: pin.address },
      fields: layout.cells.flat().map(({ name }) => name),
    }));
  }

  /** Lets the highlight of a change end automatically. */
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

  /** If the network is stopped or does not answer, the rows stay as they are. */
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
      const [{ contractStates }, { jettonWalletOwners }] = await Promise.all([
        import('../../toolkit/accounts/contractStates'),
        import('../../toolkit/accounts/jettonWalletOwners'),
      ]);
      const addresses = pins.map(({ address }) => address);
      const access = await this.#services.connections.to(network);
      const [states, owners] = await Promise.all([
        contractStates(access, addresses),
        jettonWalletOwners(access, addresses),
        ...pins.map((pin) => this.#describe(pin)),
      ]);
      this.#states = states;
      this.#owners = owners;
    } catch (error) {
      this.#services.log.warn(`pinned contracts on ${network.name}: ${String(error)}`);
    }
  }

  async #describe(pin: PinnedContract): Promise<ContractDescription | undefined> {
    const network = this.#services.networks.current();
    const { address } = pin;
    const key = pinKey(pin);
    if ((network.v2 ?? network.v3) !== undefined) {
      try {
        const { methodsOf } = await import('../project/methodsOf');
        const description = await methodsOf(this.#services, network, address);
        await this.#readSource(key, description);
        this.#descriptions.set(key, description);
      } catch (error) {
        this.#services.log.debug(`methods of ${address}: ${String(error)}`);
      }
    }
    return this.#descriptions.get(key);
  }

  /**
   * Adds what a contract's source says about it. What was known is replaced at once: rows that go and come back while
   * the editor reads them end in its error "already registered".
   */
  async #readSource(key: string, { name, file }: ContractDescription): Promise<void> {
    const [{ messagesOfContract }, { projectLayouts }, project] = await Promise.all([
      import('../../toolkit/contracts/layouts/messagesOfContract'),
      import('../../toolkit/contracts/layouts/projectLayouts'),
      this.#services.project.list(),
    ]);
    const layouts = name === undefined ? [] : await projectLayouts(project);
    this.#messages.set(key, name === undefined ? [] : messagesOfContract(layouts, { name, file }));
    if (name !== undefined && file !== undefined && sourceLanguage(file) !== undefined) {
      this.#files.set(key, file);
    } else {
      this.#files.delete(key);
    }
  }
}

/** The visible parts of a row. */
function lookOf({ label, description, contextValue, iconPath, tooltip }: vscode.TreeItem): string {
  const icon = iconPath instanceof vscode.ThemeIcon ? [iconPath.id, iconPath.color?.id] : [];
  const hover = tooltip instanceof vscode.MarkdownString ? tooltip.value : tooltip;
  return JSON.stringify([label, description, contextValue, icon, hover]);
}
