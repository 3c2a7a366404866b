import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import type { Access } from '../../toolkit/access/createAccess';
import type { NetworkVersions } from '../../toolkit/access/networkVersions';
import type { Network } from '../../toolkit/access/network';
import { lowerHex } from '../../toolkit/address/lowerHex';
import type { SharedServiceState } from '../../toolkit/base/errors';
import { SharedService, toWorkbenchError } from '../../toolkit/base/errors';
import type { LocalAccount } from '../../toolkit/accounts/localAccount';
import type { FailedMessageStatus, LocalnetStatus } from '../../toolkit/localnet/control/localnetStatus';
import type { Faults } from '../../toolkit/localnet/faults/faults';
import type { ChosenFork } from '../../toolkit/localnet/folder/folderRecord';
import type { FolderNetwork } from '../../toolkit/localnet/folder/hostOrAttach';
import type { Localnet } from '../../toolkit/localnet/localnet';
import type { Log } from '../../toolkit/base/log';
import type { AccessClients } from './accessClients';
import type { FolderContext, FolderLocalNetwork } from './folderLocalNetwork';
import type { Networks } from './networks';

/** A contract that was named when it was deployed. */
interface NamedContract {
  name: string;
  /** Raw, lowercase hex. */
  address: string;
}

export interface RunningLocalNetwork {
  kind: 'running';
  port: number;
  /** Whether another window on the folder runs it. */
  isShared: boolean;
  /** Whether it has just moved to this port, because its usual one is taken. */
  isPortNew: boolean;
  /** Seconds that its clock is ahead of the machine's clock. */
  ahead: number;
  block: number;
  /** Hash of the first block, which identifies the history. */
  chain: string;
  /** How many times it has returned to an earlier block. */
  turns: number;
  transactions: number;
  accounts: readonly LocalAccount[];
  contracts: readonly NamedContract[];
  /** Where its configuration comes from. */
  configOrigin: string;
  /** Messages that made the emulator fail. */
  failed: readonly FailedMessageStatus[];
  /** Problems with the saved state, as sentences. */
  problems: readonly string[];
  /** The faults that it injects on purpose. */
  faults?: Faults | undefined;
  /** For a fork, its network and starting block. */
  fork?: { network: string; seqno: number } | undefined;
}

/** The state shown in the status bar and the view. */
export type LocalNetworkState =
  { kind: 'stopped' } | { kind: 'starting' } | RunningLocalNetwork | { kind: 'failed'; message: string };

/** The parts of the extension's context that LocalNetwork needs. */
export type LocalNetworkContext = FolderContext &
  Pick<vscode.ExtensionContext, 'environmentVariableCollection'>;

/**
 * The local network of the window's folder: starts on first use, and is shared by all windows on the folder.
 */
export class LocalNetwork {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #networks: Networks;
  readonly #log: Log;
  readonly #context: LocalNetworkContext;
  readonly #clients: AccessClients;
  readonly #service: SharedService<FolderNetwork>;
  #folder: Promise<FolderLocalNetwork> | undefined;
  #isForked = false;
  #watch: vscode.Disposable | undefined;
  /** Announces the network's URLs to programs. */
  #announced: vscode.Disposable | undefined;
  #isDisposed = false;
  #state: LocalNetworkState = { kind: 'stopped' };

  /**
   * @param clients access to the network that is forked
   * @param context in a window without a folder, the network is kept in memory only
   */
  constructor(networks: Networks, clients: AccessClients, context: LocalNetworkContext, log: Log) {
    this.#networks = networks;
    this.#clients = clients;
    this.#context = context;
    this.#log = log.area('local network');
    this.#service = new SharedService({
      start: (signal) => this.#start(signal),
      stop: (running) => running.close(),
      onState: (state) => this.#onState(state),
    });
  }

  state(): LocalNetworkState {
    return this.#state;
  }

  /** Joins the network of another window on this folder whenever there is one. */
  async join(): Promise<void> {
    const folder = await this.#open();
    if (!this.#isDisposed) {
      const follow = (): void => this.#followRecord(folder);
      this.#watch = folder.watch(follow);
      follow();
    }
  }

  /**
   * Starts the network unless it is running; concurrent callers share one start. If all of them cancel, it is stopped
   * again.
   * @throws WorkbenchError `aborted`
   */
  async ensureRunning(signal?: AbortSignal): Promise<Localnet> {
    return (await this.#service.ensureRunning(signal)).localnet;
  }

  /** Stops the network, in every window on this folder. */
  async stop(): Promise<void> {
    (await this.#open()).change({ isOn: false });
    await this.#service.stop();
  }

  /** The name given to a contract when it was deployed. */
  nameOf(address: string): string | undefined {
    const contracts = this.#state.kind === 'running' ? this.#state.contracts : [];
    return contracts.find((contract) => contract.address === lowerHex(address))?.name;
  }

  /**
   * Continues from a block of another network instead of this folder's own state, which is kept; undefined returns
   * to it. A previous fork is discarded.
   */
  async fork(wish: ChosenFork | undefined): Promise<void> {
    const folder = await this.#open();
    await this.stop();
    folder.change({ fork: wish === undefined ? undefined : { ...wish, isNew: true } });
    try {
      await this.ensureRunning();
    } catch (error) {
      if (wish !== undefined) {
        folder.change({ fork: undefined });
        await this.stop();
      }
      throw error;
    }
  }

  /** This window is closing; another one on the folder continues the network. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#watch?.dispose();
    await this.#service.stop();
    this.#changed.dispose();
  }

  #open(): Promise<FolderLocalNetwork> {
    this.#folder ??= import('./folderLocalNetwork').then(({ openFolderLocalNetwork }) =>
      openFolderLocalNetwork({
        context: this.#context,
        networks: this.#networks,
        clients: this.#clients,
        log: this.#log,
      }),
    );
    return this.#folder;
  }

  /** Another window has started or stopped the network. */
  #followRecord(folder: FolderLocalNetwork): void {
    const { isOn, fork } = folder.record();
    this.#isForked = fork !== undefined;
    const { kind } = this.#state;
    if (isOn !== true && kind === 'running') {
      void this.#service.stop();
    } else if (isOn === true && (kind === 'stopped' || kind === 'failed') && folder.isRunElsewhere()) {
      this.#startAgain();
    } else {
      this.#set(this.#state);
    }
  }

  #startAgain(): void {
    this.ensureRunning().catch((error: unknown) => this.#log.warn(`not started again: ${String(error)}`));
  }

  #onState(state: SharedServiceState): void {
    if (state.kind === 'stopped') {
      this.#forget();
    }
    this.#set(
      state.kind === 'failed' ? { kind: 'failed', message: toWorkbenchError(state.error).message } : state,
    );
  }

  #forget(): void {
    this.#announced?.dispose();
    this.#announced = undefined;
    this.#networks.setLocal({});
  }

  async #start(signal: AbortSignal): Promise<FolderNetwork> {
    const folder = await this.#open();
    const running = await folder.start(signal);
    if (signal.aborted) {
      // No caller is waiting any more: it is not shown, and the service closes it.
      return running;
    }
    const { localnet, isShared } = running;
    const { announceLocalNetwork } = await import('./announceLocalNetwork');
    this.#isForked = folder.record().fork !== undefined;
    this.#announced = announceLocalNetwork(running, this.#context.environmentVariableCollection, this.#log);
    localnet.onStatus((status) => this.#follow(running, status));
    this.#networks.setLocal({ v2: localnet.v2, v3: localnet.v3 });
    this.#follow(running, localnet.status());
    this.#log.info(
      `${isShared ? 'shared with another window' : 'listening'} on ${localnet.v2} and ${localnet.v3}`,
    );
    return running;
  }

  #follow({ localnet, isShared, isPortNew }: FolderNetwork, status: LocalnetStatus): void {
    if (status.state === 'running') {
      this.#set({
        kind: 'running',
        port: localnet.port,
        isShared,
        isPortNew,
        ahead: status.ahead,
        block: status.seqno,
        chain: status.chain,
        turns: status.turns,
        transactions: status.transactions,
        accounts: localnet.accounts,
        contracts: Object.entries(status.names ?? {}).map(([address, called]) => ({ address, name: called })),
        configOrigin: status.configOrigin,
        failed: status.failed ?? [],
        problems: status.stateProblems ?? [],
        faults: status.faults,
        fork: status.fork,
      });
    } else if (status.state === 'failed') {
      this.#service.lost();
      this.#forget();
      this.#set(
        isShared ? { kind: 'stopped' } : { kind: 'failed', message: 'It stopped unexpectedly. See the log.' },
      );
      if (isShared && !this.#isDisposed) {
        void this.#takeOver();
      }
    }
  }

  /** The window that ran the network has closed; unless it was stopped on purpose, this one continues it. */
  async #takeOver(): Promise<void> {
    const folder = await this.#open();
    if (folder.record().isOn === true) {
      this.#startAgain();
    }
  }

  #set(state: LocalNetworkState): void {
    this.#state = state;
    setContextKey(vscode.commands, 'tonWorkbench.localNetworkState', state.kind);
    setContextKey(vscode.commands, 'tonWorkbench.localNetworkForked', this.#isForked);
    this.#changed.fire();
  }
}

/** All access to networks goes through here; opening the local one starts it. */
export class Connections {
  readonly #networks: Networks;
  readonly #clients: AccessClients;
  readonly #localNetwork: LocalNetwork;

  constructor(networks: Networks, clients: AccessClients, localNetwork: LocalNetwork) {
    this.#networks = networks;
    this.#clients = clients;
    this.#localNetwork = localNetwork;
  }

  /** Fires when a network's versions, or whether it can be reached, become known. */
  get onDidLearn(): vscode.Event<void> {
    return this.#clients.onDidLearn;
  }

  /** A client of the workspace's network; starts the local one if needed. */
  current(signal?: AbortSignal): Promise<Access> {
    return this.open(this.#networks.current(), signal);
  }

  /** A client of a network; starts the local one if needed. */
  async open(network: Network, signal?: AbortSignal): Promise<Access> {
    if (network.kind !== 'local') {
      return this.to(network);
    }
    await this.#localNetwork.ensureRunning(signal);
    // Its URLs are known only after the start.
    return this.to(this.#networks.local());
  }

  /** A client of a network, without starting it; the same object for as long as the URLs are unchanged. */
  to(network: Network): Promise<Access> {
    return this.#clients.to(network);
  }

  /** Whether the last request to the network did not arrive. */
  isUnreachable(network: Network): boolean {
    return this.#clients.isUnreachable(network);
  }

  /** The service's versions, if this window has already used the network. */
  versions(network: Network): NetworkVersions | undefined {
    return this.#clients.versions(network);
  }
}
