import path from 'node:path';
import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import { keepNewest } from '../../toolkit/keepNewest';
import { limits } from '../../toolkit/limits';
import type { Approval, WalletVerdict } from '../../toolkit/tonConnect/protocol';
import { requestUnknownError } from '../../toolkit/tonConnect/requestUnknownError';
import { dAppName, dAppWords, requestWords } from '../../toolkit/tonConnect/requestWords';
import type { AskedRequest, WalletThread } from '../../toolkit/tonConnect/startWalletThread';
import type { RequestStage, WalletAnswer } from '../../toolkit/tonConnect/walletRequest';
import type { EmulatorHolder } from '../../toolkit/workflows/rehearseInTime';
import { accountName } from '../accounts/knownAccounts';
import { LocalServer } from '../localnet/localServer';
import type { WalletViewState } from '../localnet/localElement';
import type { Services } from '../services';
import { walletServer } from './walletServer';

/** In the state of the workspace: the account that dApps get. */
const accountKey = 'wallet.account';

/** Requests that are kept for their pages after they were decided. */
const mostShown = limits.walletQueue.most;

const modes: Readonly<Record<Approval, string>> = {
  ask: 'asks you',
  all: 'approves all',
  none: 'rejects all',
};

/** A request that was told in this window, and what it was answered. */
interface ShownRequest extends AskedRequest {
  answer?: WalletAnswer;
}

/** The test wallet of a window: runs in a worker thread, and with the local network only. */
export class EditorWallet extends LocalServer<WalletThread> {
  readonly #requests = new vscode.EventEmitter<AskedRequest>();
  /** A dApp asks for something; a rule may decide it at once. */
  readonly onRequest = this.#requests.event;
  readonly #answers = new vscode.EventEmitter<WalletAnswer>();
  readonly onAnswer = this.#answers.event;
  readonly #emulators: () => Promise<EmulatorHolder>;
  readonly #shown = new Map<number, ShownRequest>();
  /** Sessions whose page did not listen when it was answered, and has asked for nothing since. */
  readonly #unheard = new Set<string>();

  constructor(services: Services, emulators: () => Promise<EmulatorHolder>) {
    super(services, { ...walletServer, name: 'the test wallet', inUse: 'wallet-state-in-use' });
    this.#emulators = emulators;
  }

  /** A request with its rehearsal; undefined if it was not told in this window, or long ago. */
  shown(number: number): AskedRequest | undefined {
    return this.#shown.get(number);
  }

  /** Where a request stands that was told in this window. */
  stage(number: number): RequestStage {
    const answer = this.#shown.get(number)?.answer;
    if (answer !== undefined) {
      return { kind: 'answered', answer };
    }
    if (this.thread === undefined) {
      return { kind: 'stopped' };
    }
    const { pending, decided: all } = this.thread.snapshot;
    const decided = all.find((one) => one.number === number);
    if (decided !== undefined) {
      return { kind: 'decided', decided };
    }
    return { kind: pending.includes(number) ? 'pending' : 'withdrawn' };
  }

  state(): WalletViewState | undefined {
    if (this.thread === undefined) {
      return undefined;
    }
    const { port, snapshot } = this.thread;
    const { account, approval, sessions, pending } = snapshot;
    const name = accountName(this.services, this.services.networks.local());
    return {
      ...{ account, port, mode: modes[approval] },
      dApps: sessions
        .filter(({ state }) => state === 'connected')
        .map(({ id, dApp, account, since, kind, approval }) => ({
          session: id,
          label: dAppName(dApp),
          description: this.#unheard.has(id)
            ? 'no page listens on this bridge'
            : `as ${account}${approval === 'ask' ? '' : `, ${modes[approval]}`}`,
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
   * @param session a dApp's; without it, of those that connect from now on
   * @throws WorkbenchError `wallet-stopped` (internal)
   */
  async setApproval(approval: Approval, session?: string): Promise<void> {
    await this.thread?.control.call('setApproval', approval, session);
  }

  /** @throws WorkbenchError `wallet-account-unknown` (input), `wallet-stopped` (internal) */
  async setAccount(name: string): Promise<void> {
    await this.thread?.control.call('setAccount', name);
    await this.services.context.workspaceState.update(accountKey, name);
  }

  /**
   * @throws WorkbenchError `wallet-request-unknown`, `wallet-request-decided` (input), `wallet-stopped` (internal)
   */
  async decide(number: number, verdict: WalletVerdict): Promise<void> {
    if (this.thread === undefined) {
      throw requestUnknownError(number);
    }
    await this.thread.control.call('decide', number, verdict);
  }

  async disconnect(session: string): Promise<void> {
    await this.thread?.control.call('disconnect', session);
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    this.#requests.dispose();
    this.#answers.dispose();
  }

  protected async open(): Promise<WalletThread> {
    const { connections, networks, log, context } = this.services;
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
    thread.onChange(() => this.changed());
    thread.onRequest((asked) => {
      this.#unheard.delete(asked.session.id);
      keepNewest(this.#shown, asked.request.number, asked, mostShown, (number) =>
        thread.snapshot.pending.includes(number),
      );
      this.#requests.fire(asked);
    });
    thread.onAnswer((answer) => {
      if (answer.isUnheard === true) {
        this.#unheard.add(answer.session);
        this.changed();
      }
      const shown = this.#shown.get(answer.number);
      if (shown !== undefined) {
        this.#shown.set(answer.number, { ...shown, answer });
      }
      this.#answers.fire(answer);
    });
    return thread;
  }

  protected opened({ control }: WalletThread): Promise<void> {
    return control.call('resume');
  }
}
