import path from 'node:path';
import * as vscode from 'vscode';
import { asCommand, readSetting } from '../../contributions';
import { WorkbenchError } from '../../toolkit/base/errors';
import { keepNewest } from '../../toolkit/base/collections';
import { limits } from '../../toolkit/base/limits';
import { notRehearsedLine, rehearsalText } from '../../toolkit/send/rehearsalText';
import { visibleLines, visibleText } from '../../toolkit/base/text';
import type { Approval, RelayWay, WalletDecision, WalletVerdict } from '../../toolkit/tonConnect/protocol';
import { decisionTitles, relayTitles, relayWays } from '../../toolkit/tonConnect/protocol';
import {
  dAppName,
  dAppWords,
  itemLines,
  requestNotes,
  requestWords,
} from '../../toolkit/tonConnect/requestWords';
import type { EmbeddedTask } from '../../toolkit/tonConnect/connectLink';
import type { FeatureWord } from '../../toolkit/tonConnect/walletFeatures';
import { knownFeatureWords } from '../../toolkit/tonConnect/walletFeatures';
import type { AskedRequest, WalletThread } from '../../toolkit/tonConnect/startWalletThread';
import type { RequestStage, WalletAnswer, WalletRequest } from '../../toolkit/tonConnect/walletBook';
import { stageWords } from '../../toolkit/tonConnect/stageWords';
import { decisionsFor, requestUnknownError, signedMessageOf } from '../../toolkit/tonConnect/walletBook';
import type { EmulatorHolder } from '../../toolkit/workflows/rehearseInTime';
import { accountName } from '../project/accountName';
import type { WalletViewState } from '../localnet/localElement';
import { LocalServer } from '../localnet/localServer';
import type { Services } from '../project/services';
import type { TraceServices } from '../traces/liveTraces';
import { traceKnowledge } from '../traces/traceKnowledge';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import { walletServer } from './walletServer';

/** In the state of the workspace: the account that dApps get. */
const accountKey = 'wallet.account';

/** As well: what the wallet lacks. */
const featuresKey = 'wallet.features';

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
  readonly #relayed = new vscode.EventEmitter<string>();
  /** A signed message was submitted: the hash of its trace. */
  readonly onRelayed = this.#relayed.event;
  readonly #emulators: () => Promise<EmulatorHolder>;
  readonly #shown = new Map<number, ShownRequest>();
  /** Sessions whose page did not listen when it was answered, and has asked for nothing since. */
  readonly #unheard = new Set<string>();

  constructor(services: Services, emulators: () => Promise<EmulatorHolder>) {
    super(services, { ...walletServer, name: 'the test wallet', inUse: 'wallet-state-in-use' });
    this.#emulators = emulators;
  }

  /** A request with its rehearsal; undefined if it was not told in this window, or long ago. */
  shown(number: number): ShownRequest | undefined {
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

  /**
   * Does with a signed message what a relayer would.
   * @throws WorkbenchError `wallet-not-signed` (input), `wallet-stopped` (internal), and those of the network
   */
  async relay(number: number, way: RelayWay): Promise<void> {
    if (this.thread === undefined) {
      throw requestUnknownError(number);
    }
    await this.thread.control.call('relay', number, way);
  }

  /** What the wallet lacks, for dApps that connect next. */
  async setFeatures(words: readonly FeatureWord[]): Promise<void> {
    await this.thread?.control.call('setFeatures', words);
    await this.services.context.workspaceState.update(featuresKey, words);
  }

  async disconnect(session: string): Promise<void> {
    await this.thread?.control.call('disconnect', session);
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    this.#requests.dispose();
    this.#answers.dispose();
    this.#relayed.dispose();
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
      features: knownFeatureWords(context.workspaceState.get<unknown>(featuresKey)),
      port: readSetting(vscode.workspace, 'tonWorkbench.ports').wallet,
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
    thread.onRelay((number, relay) => {
      const shown = this.#shown.get(number);
      if (shown?.answer !== undefined) {
        const relays = [...(shown.answer.relays ?? []), relay];
        this.#shown.set(number, { ...shown, answer: { ...shown.answer, relays } });
      }
      relay.outcomes.forEach(({ trace }) => trace !== undefined && this.#relayed.fire(trace));
      this.changed();
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

/** Before the titles of the decisions that are also buttons of the notification. */
const lensIcons: Readonly<Partial<Record<WalletDecision, string>>> = {
  approve: '$(check) ',
  reject: '$(close) ',
};

/** Requests as documents: what is asked, what it would do, and the decisions as lenses, or how it was decided. */
export class WalletRequestDocuments {
  readonly #services: TraceServices;
  readonly #wallet: EditorWallet;
  /** What each document says of where its request stands. */
  readonly #told = new Map<number, string | undefined>();

  constructor(services: TraceServices, wallet: EditorWallet) {
    this.#services = services;
    this.#wallet = wallet;
  }

  /** @throws WorkbenchError `wallet-request-unknown` (input) */
  async open(number: number): Promise<void> {
    const document = this.#page(number);
    if (document === undefined) {
      throw requestUnknownError(number);
    }
    await this.#services.documents.show(pathOf(number), document, { language: 'ton-report' });
  }

  /** Says in the documents where their requests stand now: one that is decided offers no decisions. */
  refresh(): void {
    const { documents } = this.#services;
    for (const [number, told] of this.#told) {
      const isKept = documents.find(pathOf(number)) !== undefined;
      const isNews = isKept && stageWords(this.#wallet.stage(number)) !== told;
      const document = isNews ? this.#page(number) : undefined;
      if (document !== undefined) {
        documents.keep(pathOf(number), document);
      } else if (!isKept) {
        this.#told.delete(number);
      }
    }
  }

  #page(number: number): ReadOnlyDocument | undefined {
    const shown = this.#wallet.shown(number);
    if (shown === undefined) {
      return undefined;
    }
    const words = stageWords(this.#wallet.stage(number));
    this.#told.set(number, words);
    return page(this.#services, shown, words);
  }
}

function pathOf(number: number): string {
  return `wallet/${number}/wallet request ${number}`;
}

function page(
  services: TraceServices,
  { request, session, rehearsed, answer }: ShownRequest,
  /** Undefined while it is pending. */
  stage: string | undefined,
): ReadOnlyDocument {
  const name = accountName(services, services.networks.local());
  const { number } = request;
  const lens = (decision: WalletDecision | RelayWay, title: string): vscode.Command =>
    asCommand('tonWorkbench.decideWalletRequest', title, { request: { number }, decision });
  const lenses =
    stage === undefined
      ? decisionsFor(request).map((one) => lens(one, `${lensIcons[one] ?? ''}${decisionTitles[one]}`))
      : answer !== undefined && signedMessageOf(answer) !== undefined
        ? relayWays.map((way) => lens(way, `${way === 'submit' ? '$(rocket) ' : ''}${relayTitles[way]}`))
        : [];
  const detail =
    rehearsed === undefined
      ? details(request)
      : WorkbenchError.is(rehearsed)
        ? notRehearsedLine(rehearsed.message)
        : rehearsalText(rehearsed, { name, knowledge: traceKnowledge(services) });
  const parts = [
    `${dAppWords(session.dApp)} asks ${session.account}: ${requestWords(request, name)}`,
    ...(stage === undefined ? [] : [stage]),
    ...(stage === undefined ? requestNotes(request, session) : []),
    itemLines(request, name).join('\n'),
    detail,
  ];
  return { text: `${parts.filter((part) => part !== '').join('\n\n')}\n`, lenses };
}

/** All of what is to be signed or told: nobody should sign what was shortened. */
function details(request: WalletRequest): string {
  if (request.method === 'connect') {
    const { manifestUrl, items } = request.params;
    const names = items.map(({ name }) => visibleText(name, 50)).join(', ');
    const { embedded } = request.params;
    const also = embedded !== undefined && 'task' in embedded ? `\n\n${taskDetails(embedded.task)}` : '';
    return `manifest  ${visibleText(manifestUrl)}\nasks for  ${names}${also}`;
  }
  return taskDetails(request);
}

function taskDetails(task: EmbeddedTask): string {
  if (task.method === 'signData') {
    const { params } = task;
    return params.type === 'text'
      ? visibleLines(params.text)
      : params.type === 'binary'
        ? `What these bytes mean is unknown.\n\nbytes  ${params.bytes}`
        : `What this cell means is not checked.\n\nschema  ${visibleText(params.schema)}\ncell    ${params.cell}`;
  }
  return '';
}
