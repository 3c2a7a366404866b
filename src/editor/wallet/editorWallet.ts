import path from 'node:path';
import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import { WorkbenchError, toWorkbenchError } from '../../toolkit/errors';
import { keepNewest } from '../../toolkit/keepNewest';
import { limits } from '../../toolkit/limits';
import { SharedService } from '../../toolkit/sharedService';
import type { Approval, WalletVerdict } from '../../toolkit/tonConnect/protocol';
import { requestUnknownError } from '../../toolkit/tonConnect/requestUnknownError';
import { dAppName, dAppWords, requestWords } from '../../toolkit/tonConnect/requestWords';
import type { AskedRequest, WalletThread } from '../../toolkit/tonConnect/startWalletThread';
import type { WalletAnswer } from '../../toolkit/tonConnect/walletRequest';
import type { EmulatorHolder } from '../../toolkit/workflows/rehearseInTime';
import { accountName } from '../accounts/knownAccounts';
import type { WalletView, WalletViewState } from '../localnet/walletView';
import type { Services } from '../services';
import { walletIsOnKey } from './walletIsOnKey';

/** In the state of the workspace: the account that dApps get. */
const accountKey = 'wallet.account';

/** Requests that are kept for their pages after they were decided. */
const mostShown = limits.walletQueue.most;

const modes: Readonly<Record<Approval, string>> = {
  ask: 'asks you',
  all: 'approves all',
  none: 'rejects all',
};

/** The test wallet of a window: runs in a worker thread, and with the local network only. */
export class EditorWallet implements WalletView {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #requests = new vscode.EventEmitter<AskedRequest>();
  /** A dApp asks for something; a rule may decide it at once. */
  readonly onRequest = this.#requests.event;
  readonly #answers = new vscode.EventEmitter<WalletAnswer>();
  readonly onAnswer = this.#answers.event;
  readonly #stopped = new vscode.EventEmitter<WorkbenchError>();
  /** It has ended by itself, or could not start again with its network. */
  readonly onStopped = this.#stopped.event;
  readonly #services: Services;
  readonly #emulators: () => Promise<EmulatorHolder>;
  readonly #service: SharedService<WalletThread>;
  readonly #shown = new Map<number, AskedRequest>();
  #thread: WalletThread | undefined;

  constructor(services: Services, emulators: () => Promise<EmulatorHolder>) {
    this.#services = services;
    this.#emulators = emulators;
    this.#service = new SharedService({
      start: (signal) => this.#start(signal),
      stop: (thread) => {
        this.#set(undefined);
        return thread.close();
      },
      onState: () => this.#set(undefined),
    });
  }

  /** A request with its rehearsal; undefined if it was not told in this window, or long ago. */
  shown(number: number): AskedRequest | undefined {
    return this.#shown.get(number);
  }

  /** The running wallet. */
  get thread(): WalletThread | undefined {
    return this.#thread;
  }

  state(): WalletViewState | undefined {
    if (this.#thread === undefined) {
      return undefined;
    }
    const { port, snapshot } = this.#thread;
    const { account, approval, sessions, pending } = snapshot;
    const name = accountName(this.#services, this.#services.networks.local());
    return {
      ...{ account, port, mode: modes[approval] },
      dApps: sessions
        .filter(({ state }) => state === 'connected')
        .map(({ id, dApp, account, since, kind, approval }) => ({
          session: id,
          label: dAppName(dApp),
          description: `as ${account}${approval === 'ask' ? '' : `, ${modes[approval]}`}`,
          tooltip: `${dAppWords(dApp)}\nsince ${new Date(since).toLocaleString()}${kind === 'injected' ? ', injected' : ''}`,
        })),
      requests: pending
        .flatMap((number) => this.#shown.get(number) ?? [])
        .map(({ request, session: { dApp } }) => ({
          number: request.number,
          label: requestWords(request, name),
          description: dAppName(dApp),
        })),
    };
  }

  /**
   * Starts the wallet, and the local network if needed.
   * @throws WorkbenchError `aborted`, and those of openWalletNetwork and startWalletThread
   */
  start(signal?: AbortSignal): Promise<WalletThread> {
    return this.#service.ensureRunning(signal);
  }

  /** Stops it, also for the next window. */
  async stop(): Promise<void> {
    await this.#services.context.workspaceState.update(walletIsOnKey, false);
    await this.#service.stop();
  }

  /**
   * @param session a dApp's; without it, of those that connect from now on
   * @throws WorkbenchError `wallet-stopped` (internal)
   */
  async setApproval(approval: Approval, session?: string): Promise<void> {
    await this.#thread?.control.call('setApproval', approval, session);
  }

  /** @throws WorkbenchError `wallet-account-unknown` (input), `wallet-stopped` (internal) */
  async setAccount(name: string): Promise<void> {
    await this.#thread?.control.call('setAccount', name);
    await this.#services.context.workspaceState.update(accountKey, name);
  }

  /** @throws WorkbenchError `wallet-request-unknown` (input), `wallet-stopped` (internal) */
  async decide(number: number, verdict: WalletVerdict): Promise<void> {
    if (this.#thread === undefined) {
      throw requestUnknownError(number);
    }
    await this.#thread.control.call('decide', number, verdict);
  }

  async disconnect(session: string): Promise<void> {
    await this.#thread?.control.call('disconnect', session);
  }

  /** Stops with the local network, and starts again with it. */
  async follow(): Promise<void> {
    const { localNetwork, context, log } = this.#services;
    const { kind } = localNetwork.state();
    if (this.#thread !== undefined && (kind === 'stopped' || kind === 'failed')) {
      await this.#service.stop();
    } else if (
      kind === 'running' &&
      !this.#service.isStarted &&
      context.workspaceState.get<boolean>(walletIsOnKey) === true
    ) {
      try {
        await this.start();
      } catch (error) {
        if (WorkbenchError.is(error, 'wallet-state-in-use')) {
          log.info('the test wallet of this folder runs in another window');
        } else {
          this.#stopped.fire(toWorkbenchError(error));
        }
      }
    }
  }

  async dispose(): Promise<void> {
    await this.#service.stop();
    for (const emitter of [this.#changed, this.#requests, this.#answers, this.#stopped]) {
      emitter.dispose();
    }
  }

  async #start(signal: AbortSignal): Promise<WalletThread> {
    const { connections, networks, log, context } = this.#services;
    const [{ openWalletNetwork }, { startWalletThread }] = await Promise.all([
      import('../../toolkit/workflows/openWalletNetwork'),
      import('../../toolkit/tonConnect/startWalletThread'),
    ]);
    const access = await connections.open(networks.local());
    const network = await openWalletNetwork(access, await this.#emulators(), log);
    const kept = context.workspaceState.get<string>(accountKey);
    const { version } = context.extension.packageJSON as { version?: unknown };
    const thread = await startWalletThread({
      ...{ network, approval: 'ask', log: log.area('wallet'), version: String(version) },
      account: network.accounts.some(({ name }) => name === kept) ? kept : undefined,
      port: readSetting(vscode.workspace, 'tonWorkbench.wallet.port'),
      folder: context.storageUri && path.join(context.storageUri.fsPath, 'wallet'),
    });
    thread.onChange(() => this.#changed.fire());
    thread.onRequest((asked) => {
      keepNewest(this.#shown, asked.request.number, asked, mostShown, (number) =>
        thread.snapshot.pending.includes(number),
      );
      this.#requests.fire(asked);
    });
    thread.onAnswer((answer) => this.#answers.fire(answer));
    thread.onStopped((error) => {
      this.#service.lost();
      this.#set(undefined);
      this.#stopped.fire(error);
    });
    // A start that was canceled meanwhile is stopped again by the service.
    if (!signal.aborted) {
      this.#set(thread);
      await context.workspaceState.update(walletIsOnKey, true);
      await thread.control.call('resume');
    }
    return thread;
  }

  #set(thread: WalletThread | undefined): void {
    this.#thread = thread;
    this.#changed.fire();
  }
}
