import { lowerHex } from '../../toolkit/address/lowerHex';
import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { readSetting } from '../../contributions';
import { toWorkbenchError, WorkbenchError } from '../../toolkit/errors';
import type { Access } from '../../toolkit/access/createAccess';
import type { Localnet } from '../../toolkit/localnet/localnet';
import type { FailedMessageStatus, LocalnetStatus } from '../../toolkit/localnet/control/localnetStatus';
import type { LocalAccount } from '../../toolkit/localnet/accounts/localAccount';
import type { Log } from '../../toolkit/log';
import { SharedService } from '../../toolkit/sharedService';
import type { SharedServiceState } from '../../toolkit/sharedService';
import type { AccessClients } from './accessClients';
import type { Networks } from './networks';

/** A contract that was given a name when it was deployed. */
interface NamedContract {
  name: string;
  /** Raw, lowercase hex. */
  address: string;
}

export interface RunningLocalNetwork {
  kind: 'running';
  port: number;
  block: number;
  accounts: readonly LocalAccount[];
  contracts: readonly NamedContract[];
  /** Where the configuration comes from. */
  configOrigin: string;
  /** Messages on which the emulator failed. */
  failed: readonly FailedMessageStatus[];
  /** A message: what is wrong with the saved state. */
  problems: readonly string[];
  /** Of a fork: its network and starting block. */
  fork?: { network: string; seqno: number } | undefined;
}

/** What the status bar and the view show. */
export type LocalNetworkState =
  { kind: 'stopped' } | { kind: 'starting' } | RunningLocalNetwork | { kind: 'failed'; message: string };

/** A workspace's fork. */
interface ChosenFork {
  /** A network's name. */
  network: string;
  seqno?: number | undefined;
}

const forkKey = 'localNetworkFork';

/** The embedded local network of this window: starts on first use, stops with the window. */
export class LocalNetwork {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #networks: Networks;
  readonly #log: Log;
  readonly #context: Pick<vscode.ExtensionContext, 'storageUri' | 'workspaceState'>;
  readonly #clients: AccessClients;
  readonly #service: SharedService<Localnet>;
  #state: LocalNetworkState = { kind: 'stopped' };

  /**
   * @param clients read the network that is forked
   * @param context without a folder for this workspace's state the network is kept in memory only
   */
  constructor(
    networks: Networks,
    clients: AccessClients,
    context: Pick<vscode.ExtensionContext, 'storageUri' | 'workspaceState'>,
    log: Log,
  ) {
    this.#networks = networks;
    this.#clients = clients;
    this.#context = context;
    this.#log = log.area('local network');
    this.#service = new SharedService({
      start: (signal) => this.#start(signal),
      stop: (localnet) => localnet.close(),
      onState: (state) => this.#onState(state),
    });
  }

  state(): LocalNetworkState {
    return this.#state;
  }

  /**
   * Starts the network unless it is running; concurrent callers share one start. If all of them cancel, it is stopped
   * again.
   * @throws WorkbenchError `aborted`
   */
  ensureRunning(signal?: AbortSignal): Promise<Localnet> {
    return this.#service.ensureRunning(signal);
  }

  stop(): Promise<void> {
    return this.#service.stop();
  }

  /** Names of contracts, given when they were deployed. */
  nameOf(address: string): string | undefined {
    const contracts = this.#state.kind === 'running' ? this.#state.contracts : [];
    return contracts.find((contract) => contract.address === lowerHex(address))?.name;
  }

  /**
   * Continues from a block of another network instead of this workspace's own state, which is kept; undefined returns
   * to it. A previous fork is discarded.
   */
  async fork(wish: ChosenFork | undefined): Promise<void> {
    await this.stop();
    await this.#context.workspaceState.update(forkKey, wish);
    const directory = this.#directory('localNetworkFork');
    if (directory !== undefined) {
      const { rm } = await import('node:fs/promises');
      await rm(directory, { recursive: true, force: true });
    }
    try {
      await this.ensureRunning();
    } catch (error) {
      if (wish !== undefined) {
        await this.#context.workspaceState.update(forkKey, undefined);
        await this.stop();
      }
      throw error;
    }
  }

  async dispose(): Promise<void> {
    await this.stop();
    this.#changed.dispose();
  }

  #onState(state: SharedServiceState): void {
    if (state.kind === 'stopped') {
      this.#networks.setLocal({});
    }
    this.#set(
      state.kind === 'failed' ? { kind: 'failed', message: toWorkbenchError(state.error).message } : state,
    );
  }

  async #start(signal: AbortSignal): Promise<Localnet> {
    const wanted = readSetting(vscode.workspace, 'tonWorkbench.localNetwork.port');
    const localnet = await this.#startOrAttach(wanted, signal);
    if (signal.aborted) {
      // No caller is waiting: it is not shown, and the service closes it.
      return localnet;
    }
    if (localnet.portChanged) {
      void vscode.window.showInformationMessage(
        `Port ${wanted} is taken, so the local network listens on ${localnet.port} this time.`,
      );
    }
    localnet.onStatus((status) => this.#follow(localnet, status));
    this.#networks.setLocal({ v2: localnet.v2, v3: localnet.v3 });
    this.#follow(localnet, localnet.status());
    this.#log.info(`listening on ${localnet.v2} and ${localnet.v3}`);
    return localnet;
  }

  /** A second window of the workspace shares the first one's network. */
  async #startOrAttach(port: number, signal: AbortSignal): Promise<Localnet> {
    const { startLocalnet } = await import('../../toolkit/localnet/startLocalnet');
    const wish = this.#context.workspaceState.get<ChosenFork>(forkKey);
    const stateDirectory = this.#directory(wish === undefined ? 'localNetwork' : 'localNetworkFork');
    const fork = wish === undefined ? undefined : { access: await this.#forked(wish), seqno: wish.seqno };
    signal.throwIfAborted();
    try {
      return await startLocalnet({
        port,
        portFallback: true,
        stateDirectory,
        fork,
        allowedOrigins: readSetting(vscode.workspace, 'tonWorkbench.localNetwork.allowedOrigins'),
        log: this.#log,
      });
    } catch (error) {
      const owner = WorkbenchError.is(error, 'localnet-state-in-use') ? error.details['port'] : undefined;
      if (typeof owner !== 'number') {
        throw error;
      }
      const { attachLocalnet } = await import('../../toolkit/localnet/attachLocalnet');
      this.#log.info(`another window of this workspace runs the local network on port ${owner}`);
      return attachLocalnet(owner, { log: this.#log });
    }
  }

  #directory(name: string): string | undefined {
    const { storageUri } = this.#context;
    return storageUri === undefined ? undefined : `${storageUri.fsPath}/${name}`;
  }

  async #forked({ network: name }: ChosenFork): Promise<Access> {
    const network = this.#networks.list().find((one) => one.name === name && one.kind !== 'local');
    if (network === undefined) {
      throw new WorkbenchError({
        code: 'fork-network-unknown',
        kind: 'input',
        message: `The network ${name}, which the local network forks, is no longer in the settings.`,
        hint: 'Add it again, or run TON: Leave Fork.',
      });
    }
    return this.#clients.to(network);
  }

  #follow(localnet: Localnet, status: LocalnetStatus): void {
    if (status.state === 'running') {
      this.#set({
        kind: 'running',
        port: localnet.port,
        block: status.seqno,
        accounts: localnet.accounts,
        contracts: Object.entries(status.names ?? {}).map(([address, called]) => ({ address, name: called })),
        configOrigin: status.configOrigin,
        failed: status.failed ?? [],
        problems: status.stateProblems ?? [],
        fork: status.fork,
      });
    } else if (status.state === 'failed') {
      this.#service.lost();
      this.#networks.setLocal({});
      this.#set({ kind: 'failed', message: 'It stopped unexpectedly. See the log.' });
    }
  }

  #set(state: LocalNetworkState): void {
    this.#state = state;
    setContextKey(vscode.commands, 'tonWorkbench.localNetworkState', state.kind);
    const forked = this.#context.workspaceState.get<ChosenFork>(forkKey) !== undefined;
    setContextKey(vscode.commands, 'tonWorkbench.localNetworkForked', forked);
    this.#changed.fire();
  }
}
