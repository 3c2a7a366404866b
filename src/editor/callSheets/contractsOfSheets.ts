import { knownCodes } from '../../toolkit/build/namedCodes';
import path from 'node:path';
import * as vscode from 'vscode';
import { accountsByName } from '../project/accountName';
import { methodsOf } from '../project/methodsOf';
import { methodNamed } from '../../toolkit/contracts/abi/methodNamed';
import type { ContractDescription } from '../../toolkit/contracts/abi/contractDescription';
import type { Network } from '../../toolkit/access/network';
import type { KnownMethod, SheetKnowledge } from '../../toolkit/callSheet/sheetValues';
import type { CallSheet } from '../../toolkit/callSheet/callSheet';
import type { SheetNetwork } from '../../toolkit/workflows/sheetRunTypes';
import { ownWalletName } from '../../toolkit/workflows/sheetRunTypes';
import { SheetValues } from '../../toolkit/callSheet/sheetValues';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { LocalAccount } from '../../toolkit/accounts/localAccount';
import type { Services } from '../project/services';
import type { LayoutSet } from '../../toolkit/contracts/layouts/layoutSet';
import { messagesOfContract } from '../../toolkit/contracts/layouts/messagesOfContract';
import type { Message } from '../../toolkit/contracts/layouts/messagesOfContract';
import { SheetSources } from './sheetSources';
import { networkKey } from '../../toolkit/access/network';
import { readUserFile } from '../../toolkit/base/readUserFile';

/** A sheet's network in the editor. */
export interface OpenSheetNetwork extends SheetNetwork {
  network: Network;
}

/** Milliseconds until a missing contract is looked up again; it may exist by then. */
const keptMs = 10_000;

/** What this window knows about the networks, accounts, and contracts in sheets. */
export class ContractsOfSheets implements vscode.Disposable {
  readonly #services: Services;
  readonly #learned = new vscode.EventEmitter<void>();
  /** Fires when more is known: problems, lists, and lenses may change. */
  readonly onDidLearn = this.#learned.event;
  readonly #known = new Map<string, { at: number; isLocal: boolean; description?: ContractDescription }>();
  readonly #subscriptions: vscode.Disposable[];
  readonly sources: SheetSources;

  constructor(services: Services) {
    this.#services = services;
    this.sources = new SheetSources(services);
    let state = services.localNetwork.state().kind;
    let block = 0;
    const forget = (): void => this.forget();
    this.#subscriptions = [
      this.sources,
      this.sources.onDidLearn(() => this.#learned.fire()),
      services.networks.onDidChange(() => this.#learned.fire()),
      services.project.onDidChange(forget),
      services.localNetwork.onDidChange(() => {
        const now = services.localNetwork.state();
        if (now.kind !== state) {
          state = now.kind;
          forget();
        } else if (now.kind === 'running' && now.block !== block) {
          block = now.block;
          this.#forgetAbsent();
        }
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(this.#learned, ...this.#subscriptions).dispose();
  }

  /** Forgets everything, because sources or contracts have changed. */
  forget(): void {
    this.#known.clear();
    this.#learned.fire();
  }

  /** A block of the local network may have deployed a missing contract. */
  #forgetAbsent(): void {
    const absent = [...this.#known].filter(
      ([, { isLocal, description }]) =>
        isLocal && description !== undefined && description.codeHash === undefined,
    );
    absent.forEach(([key]) => this.#known.delete(key));
    if (absent.length > 0) {
      this.#learned.fire();
    }
  }

  /** The network of that name, ignoring case; without a name the workspace's own. */
  network(name: string | undefined): Network | undefined {
    const { networks } = this.#services;
    return name === undefined
      ? networks.current()
      : networks.list().find((network) => network.name.toLowerCase() === name.toLowerCase());
  }

  /** Names of accounts on a network; undefined if not known yet. */
  accounts(name: string | undefined): ReadonlyMap<string, string> | undefined {
    const network = this.network(name);
    const isUnknown = network?.kind === 'local' && this.#services.localNetwork.state().kind !== 'running';
    return network === undefined || isUnknown ? undefined : accountsByName(this.#services, network);
  }

  /** The names of accounts, as a sheet may use them: on a public network also the user's own wallet, connected or not. */
  #accountsForChecks(name: string | undefined): ReadonlyMap<string, string> | undefined {
    const accounts = this.accounts(name);
    return accounts === undefined || this.network(name)?.kind === 'local'
      ? accounts
      : new Map([[ownWalletName, `0:${'0'.repeat(64)}`], ...accounts]);
  }

  /** The wallets that can sign: those of this window's local network. */
  wallets({ name }: Network): readonly LocalAccount[] {
    const state = this.#services.localNetwork.state();
    const isOwn = name === this.#services.networks.local().name;
    return isOwn && state.kind === 'running' ? state.accounts : [];
  }

  /** The contract as last seen. On the running local network it is read again automatically, which costs nothing. */
  seen(network: Network, address: string): ContractDescription | undefined {
    const known = this.#known.get(keyOf(network, address));
    const isOld = known === undefined || known.at + keptMs < Date.now();
    if (isOld && network.kind === 'local' && network.v2 !== undefined) {
      this.ask(network, address).catch((error: unknown) =>
        this.#services.log.debug(`${address} could not be read: ${String(error)}`),
      );
    }
    return known?.description;
  }

  /** Queries the network for the contract. */
  async ask(network: Network, address: string, signal?: AbortSignal): Promise<ContractDescription> {
    const key = keyOf(network, address);
    const before = this.#known.get(key);
    const isLocal = network.kind === 'local';
    this.#known.set(key, { ...before, isLocal, at: Date.now() });
    const description = await methodsOf(this.#services, network, address, signal);
    this.#known.set(key, { at: Date.now(), isLocal, description });
    if (before?.description?.codeHash !== description.codeHash || before?.description === undefined) {
      this.#learned.fire();
    }
    return description;
  }

  /** The contract of the call being typed; undefined if it is unknown or the network is unavailable. */
  async at(
    { target, network: name }: { target: string; network: string | undefined },
    sheet: CallSheet,
    token: vscode.CancellationToken,
  ): Promise<ContractDescription | undefined> {
    const deployed = this.sources.deployed(target, sheet, await this.sources.read());
    if (deployed !== undefined) {
      return deployed.description;
    }
    const address = targetAddress(target, this.accounts(name), sheet);
    const network = this.network(name);
    if (address === undefined || network === undefined) {
      return undefined;
    }
    const seen = this.seen(network, address);
    if (seen !== undefined || (network.kind === 'local' && network.v2 === undefined)) {
      return seen;
    }
    const controller = new AbortController();
    const canceled = token.onCancellationRequested(() => controller.abort());
    try {
      return await this.ask(network, address, controller.signal);
    } catch (error) {
      this.#services.log.debug(`no methods of ${address}: ${String(error)}`);
      return undefined;
    } finally {
      canceled.dispose();
    }
  }

  /** The context for `checkCallSheet`. */
  forChecks(document: vscode.TextDocument): SheetKnowledge {
    return {
      accounts: (name) => this.#accountsForChecks(name),
      hasNetwork: (name) => this.network(name) !== undefined,
      method: (address, method, name): KnownMethod | undefined => {
        const network = this.network(name);
        const seen = network === undefined ? undefined : this.seen(network, address);
        const found = methodNamed(seen, method);
        if (found !== undefined) {
          return { kind: 'known', signature: found.signature };
        }
        const isTold = seen?.methods.some(({ name: told }) => !/^\d+$/.test(told)) === true;
        const isNumber = /^-?\d+$/.test(method);
        return isTold && !isNumber && !seen.methods.some(({ name: told }) => /^\d+$/.test(told))
          ? { kind: 'absent', others: seen.methods.map(({ name: told }) => told) }
          : undefined;
      },
      source: (file) => this.sources.forChecks(file),
      layouts: () => this.sources.now()?.layouts,
      wallets: (name) => {
        const network = this.network(name);
        if (network !== undefined && network.kind !== 'local') {
          return [ownWalletName];
        }
        const wallets = network === undefined ? [] : this.wallets(network);
        return wallets.length === 0 ? undefined : wallets.map((wallet) => wallet.name);
      },
      codes: (text) => {
        const contracts = this.sources.now()?.contracts;
        return contracts === undefined ? undefined : knownCodes(text, contracts);
      },
      readFile: readerOf(document),
    };
  }

  /** The messages of a `send` step's destination contract, and all layouts. */
  async messages(
    spot: { target: string; network: string | undefined },
    sheet: CallSheet,
    token: vscode.CancellationToken,
  ): Promise<{ layouts: readonly LayoutSet[]; own: Message[] }> {
    const sources = await this.sources.read();
    const deployed = this.sources.deployed(spot.target, sheet, sources);
    const { name, file } = deployed ?? (await this.at(spot, sheet, token)) ?? {};
    const { layouts } = sources;
    return { layouts, own: name === undefined ? [] : messagesOfContract(layouts, { name, file }) };
  }

  /** A network as used by a run; starts the local one if needed. */
  async open(name: string | undefined, signal?: AbortSignal): Promise<OpenSheetNetwork> {
    const network = this.network(name);
    if (network === undefined) {
      throw new WorkbenchError({
        code: 'network-unknown',
        kind: 'input',
        message: `There is no network “${name}”.`,
        hint: 'Networks are local, mainnet, testnet, and those in the setting tonWorkbench.networks.',
      });
    }
    const access = await this.#services.connections.open(network, signal);
    return {
      network: access.network,
      access,
      accounts: this.accounts(name) ?? new Map(),
      wallets: this.wallets(network),
    };
  }
}

/**
 * Reads files that values refer to. Not in an untrusted workspace, where a sheet could send their contents to
 * a network.
 */
export function readerOf({ uri }: vscode.TextDocument): ((name: string) => Uint8Array) | undefined {
  return uri.scheme === 'file' && vscode.workspace.isTrusted
    ? (name) => readUserFile(path.resolve(path.dirname(uri.fsPath), name), 'bocText')
    : undefined;
}

/** The address of a target, if it is known without asking the network. */
export function targetAddress(
  target: string,
  accounts: ReadonlyMap<string, string> | undefined,
  sheet: CallSheet,
): string | undefined {
  const values = new SheetValues({ accounts: accounts ?? new Map() });
  for (const variable of sheet.variables) {
    attempt(() => values.readVariable(variable));
  }
  return attempt(() => values.address({ target: { text: target, offset: 0, length: target.length } }));
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (WorkbenchError.is(error, 'call-sheet-invalid')) {
      return undefined;
    }
    throw error;
  }
}

function keyOf(network: Network, address: string): string {
  return `${networkKey(network)} ${address}`;
}
