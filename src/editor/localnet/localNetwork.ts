import * as vscode from 'vscode';
import { readSetting, setContextKey } from '../../contributions';
import { toWorkbenchError, WorkbenchError } from '../../toolkit/errors';
import type { LocalAccount, Localnet, LocalnetStatus } from '../../toolkit/localnet/localnet';
import type { Log } from '../../toolkit/log';
import type { Networks } from '../networks/networks';

/** What the status bar and the view show. */
export type LocalNetworkState =
  | { kind: 'stopped' }
  | { kind: 'starting' }
  | { kind: 'running'; port: number; block: number; accounts: readonly LocalAccount[] }
  | { kind: 'failed'; message: string };

/** The embedded local network of this window: starts on first use, stops with the window. */
export class LocalNetwork {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #networks: Networks;
  readonly #log: Log;
  readonly #storage: vscode.Uri | undefined;
  #state: LocalNetworkState = { kind: 'stopped' };
  #starting: Promise<Localnet> | undefined;

  /** @param storage this workspace's folder for the state; without one the state lives in memory only */
  constructor(networks: Networks, storage: vscode.Uri | undefined, log: Log) {
    this.#networks = networks;
    this.#storage = storage;
    this.#log = log.area('local network');
  }

  state(): LocalNetworkState {
    return this.#state;
  }

  /** Starts the network unless it runs already; callers at the same time share one start. */
  async ensureRunning(_signal?: AbortSignal): Promise<Localnet> {
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = undefined;
      this.#set({ kind: 'failed', message: toWorkbenchError(error).message });
      throw error;
    });
    return this.#starting;
  }

  async stop(): Promise<void> {
    const starting = this.#starting;
    this.#starting = undefined;
    const running = await starting?.catch(() => undefined);
    await running?.close();
    if (this.#starting === undefined) {
      this.#networks.setLocal({});
      this.#set({ kind: 'stopped' });
    }
  }

  async dispose(): Promise<void> {
    await this.stop();
    this.#changed.dispose();
  }

  async #start(): Promise<Localnet> {
    this.#set({ kind: 'starting' });
    const wanted = readSetting(vscode.workspace, 'tonWorkbench.localNetwork.port');
    const localnet = await this.#startOrAttach(wanted);
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

  /** A second window of the workspace shares the network that the first one runs. */
  async #startOrAttach(port: number): Promise<Localnet> {
    const { startLocalnet } = await import('../../toolkit/localnet/startLocalnet');
    const stateDirectory = this.#storage === undefined ? undefined : `${this.#storage.fsPath}/localNetwork`;
    try {
      return await startLocalnet({ port, portFallback: true, stateDirectory, log: this.#log });
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

  #follow(localnet: Localnet, status: LocalnetStatus): void {
    if (status.state === 'running') {
      this.#set({
        kind: 'running',
        port: localnet.port,
        block: status.seqno,
        accounts: localnet.accounts,
      });
    } else if (status.state === 'failed') {
      this.#starting = undefined;
      this.#networks.setLocal({});
      this.#set({ kind: 'failed', message: 'It has ended unexpectedly; the log says why.' });
    }
  }

  #set(state: LocalNetworkState): void {
    this.#state = state;
    setContextKey(vscode.commands, 'tonWorkbench.localNetworkState', state.kind);
    this.#changed.fire();
  }
}
