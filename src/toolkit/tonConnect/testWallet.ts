import type { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import { Listeners } from '../base/numberWidths';
import type { LocalAccount } from '../accounts/localAccount';
import type { PreparedSend } from '../send/preparedSend';
import { Bridge } from './bridge';
import type { ConnectLink } from './connectLink';
import { addressItem, deviceInfo } from './injectedScript';
import type { Approval, RelayWay, WalletVerdict } from './protocol';
import { protocolError, ruledVerdict } from './protocol';
import { payLink } from './payLink';
import { readManifest } from './readManifest';
import type { RequestEnvelope } from './readTask';
import { judgeMessage, readEnvelope } from './readTask';
import { relaySigned } from './relaySigned';
import { RequestRunner } from './requestRunner';
import { lookUpItems, rehearseRequest } from './requestTask';
import type { ConnectAsked } from './newConnection';
import { newConnection } from './newConnection';
import type { TestWalletOptions, WalletEvent } from './walletEvent';
import type { DecidedRequest, RelayRecord, WalletRequest, WalletSession } from './walletBook';
import { notPendingError } from './walletBook';
import type { FeatureWord, WalletFeatures } from './walletFeatures';
import { featuresOf } from './walletFeatures';
import { sessionToForget, walletFullError } from './walletJournal';
import { accountNamed } from './walletNetwork';
import { digestOf, unseal } from './walletSession';

/** What became of a message that came in. */
export type Intake = 'taken' | 'unknown-session' | 'not-readable' | 'full';

/** The wallet: takes dApps' messages, has them decided, and answers each once. */
export class TestWallet {
  readonly bridge: Bridge;
  readonly #options: TestWalletOptions;
  readonly #runner: RequestRunner;
  readonly #events = new Listeners<WalletEvent>();
  readonly #script: WalletVerdict[];
  /** What an earlier run has left, as it left it. */
  readonly #left: readonly WalletRequest[];
  readonly #ends = new AbortController();
  #account: string;
  #approval: Approval;
  #lacks: readonly FeatureWord[];

  constructor(options: TestWalletOptions) {
    const { journal, clock, account, approval, script = [] } = options;
    this.#options = options;
    this.#account = this.#walletNamed(account).name;
    this.#approval = approval;
    this.#lacks = options.features ?? [];
    this.#script = [...script];
    this.#left = [...journal.book.requests.values()];
    this.bridge = new Bridge(
      clock,
      journal.book.events.filter(({ expires }) => expires > clock.now()),
    );
    this.#runner = new RequestRunner({
      ...{ ...options, bridge: this.bridge, signal: this.#ends.signal },
      walletOf: (name) => this.#walletNamed(name),
      featuresOf: (session) => this.#featuresOf(session),
      onAnswer: (answer, session) => this.#events.tell({ type: 'answer', answer, session }),
      onSessions: () => this.#events.tell({ type: 'sessions' }),
    });
  }

  /** Goes on with what an earlier run has left: decided requests are carried out, others are asked again. */
  resume(): void {
    const { requests } = this.#options.journal.book;
    // What was decided in this run is on its way already.
    const isLeft = ({ number, verdict }: WalletRequest): boolean =>
      requests.has(number) && requests.get(number)?.verdict === verdict;
    for (const request of this.#left.filter(isLeft)) {
      if (request.verdict !== undefined) {
        this.#runner.run(request, request.verdict);
      } else if (request.method === 'connect') {
        void this.#introduce(request);
      } else {
        void this.#ask(request);
      }
    }
  }

  onEvent(listener: (event: WalletEvent) => void): () => void {
    return this.#events.add(listener);
  }

  get sessions(): readonly WalletSession[] {
    return [...this.#options.journal.book.sessions.values()];
  }

  /** Requests that nobody has decided yet. */
  get pending(): readonly WalletRequest[] {
    return [...this.#options.journal.book.requests.values()].filter(({ verdict }) => verdict === undefined);
  }

  /** Requests that are being carried out, or wait until they are answered. */
  get decided(): readonly DecidedRequest[] {
    return [...this.#options.journal.book.requests.values()].flatMap(({ number, verdict, notBefore }) =>
      verdict === undefined ? [] : { number, decision: verdict.decision, notBefore },
    );
  }

  get account(): string {
    return this.#account;
  }

  /** For dApps that connect from now on. */
  set account(name: string) {
    this.#account = this.#walletNamed(name).name;
  }

  get approval(): Approval {
    return this.#approval;
  }

  /** For dApps that connect from now on. */
  set approval(approval: Approval) {
    this.#approval = approval;
  }

  get lacks(): readonly FeatureWord[] {
    return this.#lacks;
  }

  /** For dApps that connect from now on. */
  set lacks(words: readonly FeatureWord[]) {
    this.#lacks = words;
  }

  /** What dApps that connect from now on are told. */
  get features(): WalletFeatures {
    return featuresOf(this.#walletNamed(this.#account).kind, this.#lacks);
  }

  /** Sets what happens to a dApp's requests, also to those that are pending. It stays so until the dApp disconnects. */
  setApproval(sessionId: string, approval: Approval): void {
    const { journal } = this.#options;
    const session = journal.book.sessions.get(sessionId);
    if (session === undefined || session.state === 'ended') {
      return;
    }
    journal.add({ type: 'session', session: { ...session, approval } });
    this.#events.tell({ type: 'sessions' });
    const verdict = ruledVerdict(approval);
    if (verdict !== undefined) {
      this.pending
        .filter((request) => request.session === sessionId)
        .forEach(({ number }) => this.decide(number, verdict));
    }
  }

  /**
   * Takes a request to connect. The same link again is the same request.
   * @throws WorkbenchError `wallet-full` (input)
   */
  async connect(link: ConnectLink, kind: WalletSession['kind'] = 'bridge'): Promise<WalletSession> {
    const { journal, network, clock, log } = this.#options;
    const known = this.sessions.find((session) => session.app === link.app);
    if (known !== undefined) {
      return known;
    }
    this.#makeRoom();
    const { session, asked } = newConnection(link, kind, {
      ...{ wallet: this.#walletNamed(this.#account), approval: this.#approval, lacks: this.#lacks },
      ...{ number: journal.book.last + 1, chain: network.chain, at: clock.now() },
    });
    if (asked.params.embedded !== undefined && 'error' in asked.params.embedded) {
      const { message } = asked.params.embedded.error;
      log.warn(`The request in a connect link cannot be carried out: ${message}`);
    }
    journal.add({ type: 'session', session }, { type: 'request', request: asked });
    await this.#introduce(asked);
    return session;
  }

  /** Takes a dApp's message to one of the sessions. When it returns, the message is on the disk. */
  receive(app: string, sessionId: string, message: string): Intake {
    const { journal, clock } = this.#options;
    const session = journal.book.sessions.get(sessionId);
    if (session === undefined || session.app !== app) {
      return 'unknown-session';
    }
    const text = unseal(session, message);
    const envelope = text === undefined ? undefined : readEnvelope(text);
    if (envelope === undefined) {
      return 'not-readable';
    }
    const digest = digestOf(message);
    if (journal.book.seen.get(session.id)?.includes(digest) === true) {
      return 'taken';
    }
    const open = [...journal.book.requests.values()].filter((one) => one.session === session.id).length;
    if (open + this.bridge.waiting(app) >= limits.walletQueue.most) {
      return 'full';
    }
    this.#take(session, envelope, { digest, at: clock.now() });
    return 'taken';
  }

  /**
   * Decides a pending request.
   * @throws WorkbenchError `wallet-request-unknown`, `wallet-request-decided` (input)
   */
  decide(number: number, verdict: WalletVerdict): void {
    const { book } = this.#options.journal;
    const request = this.pending.find((one) => one.number === number);
    if (request === undefined) {
      throw notPendingError(number, book);
    }
    this.#runner.decide(request, verdict);
  }

  /** What a pending request would do now; undefined for those that send and sign no message. */
  async rehearse(request: WalletRequest): Promise<PreparedSend | WorkbenchError | undefined> {
    const { network, clock, journal } = this.#options;
    const session = journal.book.sessions.get(request.session);
    if (session === undefined) {
      return undefined;
    }
    const [wallet, { usedSeqnos }] = [this.#walletNamed(session.account), this.#runner];
    return rehearseRequest(request, { network, clock, wallet, usedSeqnos, signal: this.#ends.signal });
  }

  /**
   * Submits the signed message that a request was answered with, as its relayer would. Nothing is signed.
   * @throws WorkbenchError `wallet-not-signed` (input), and those of the network
   */
  async relay(number: number, way: RelayWay): Promise<RelayRecord> {
    const { network, clock, journal } = this.#options;
    const answer = journal.book.answers.findLast((one) => one.number === number);
    const relay = await relaySigned({ number, answer }, way, { network, clock, signal: this.#ends.signal });
    journal.add({ type: 'relayed', number, relay });
    this.#events.tell({ type: 'relay', number, relay });
    return relay;
  }

  /**
   * Pays what a link asks for, after what the account signs before it.
   * @returns the normalized hash of the message; undefined if the text is no link to pay
   */
  payLink(text: string): Promise<string | undefined> {
    const { network, clock } = this.#options;
    const context = { network, clock, wallet: this.#walletNamed(this.#account), signal: this.#ends.signal };
    return this.#runner.inTurn(this.#account, (usedSeqnos) => payLink(text, { ...context, usedSeqnos }));
  }

  /** The connection of a script in a page; undefined if there is none. */
  restore(app: string): object | undefined {
    const session = this.sessions.find((one) => one.app === app && one.state === 'connected');
    if (session === undefined) {
      return undefined;
    }
    const wallet = this.#walletNamed(session.account);
    const device = deviceInfo(this.#featuresOf(session), this.#options.version);
    const payload = { items: [addressItem(wallet, session.chain)], device };
    return { event: 'connect', id: this.#runner.nextEventId(), payload };
  }

  /** Ends a connection, and tells the dApp. */
  disconnect(sessionId: string): void {
    this.#end(sessionId, true);
  }

  /** The dApp has ended its connection without a request. */
  leave(sessionId: string): void {
    this.#end(sessionId, false);
  }

  /** Stops: what is being carried out goes on with the next run. */
  async close(): Promise<void> {
    this.#ends.abort();
    await this.#runner.idle();
    await this.#options.journal.close();
  }

  #end(sessionId: string, tellsDApp: boolean): void {
    const session = this.#options.journal.book.sessions.get(sessionId);
    if (session !== undefined && session.state !== 'ended') {
      this.#runner.end(session, tellsDApp);
    }
  }

  #take(session: WalletSession, envelope: RequestEnvelope, head: { digest: string; at: number }): void {
    const { journal, network, log } = this.#options;
    const judged = judgeMessage(session, envelope, {
      ...{ ...head, number: journal.book.last + 1, chain: network.chain },
      wallet: this.#walletNamed(session.account),
      features: this.#featuresOf(session),
    });
    switch (judged.kind) {
      case 'ignored':
        log.warn(`A message with the old id ${envelope.id} was ignored`);
        return;
      case 'refused':
        this.#runner.refuse(judged.asked, judged.session, judged.error);
        return;
      case 'disconnect':
        this.#runner.disconnected(judged.asked, judged.session);
        return;
      case 'request':
        journal.add(
          { type: 'session', session: judged.session },
          { type: 'request', request: judged.request },
        );
        void this.#ask(judged.request);
    }
  }

  /** Reads who the dApp is, then asks; a wallet that was ended meanwhile reads it in its next run. */
  async #introduce(asked: ConnectAsked): Promise<void> {
    const { journal, fetchText } = this.#options;
    const isRead = journal.book.sessions.get(asked.session)?.dApp.isFetched === true;
    const read = isRead
      ? undefined
      : await readManifest(asked.params.manifestUrl, fetchText).catch((error: unknown) =>
          protocolError(error),
        );
    const session = journal.book.sessions.get(asked.session);
    if (session === undefined || session.state === 'ended' || this.#ends.signal.aborted) {
      return;
    }
    if (read !== undefined && 'domain' in read) {
      journal.add({ type: 'session', session: { ...session, dApp: read } });
    }
    if (read !== undefined && 'code' in read) {
      this.#runner.answer(asked, { error: read });
    } else {
      void this.#ask(asked);
    }
  }

  /** The request with what its items need of the network; undefined if nobody is to be asked. */
  async #lookUp(request: WalletRequest): Promise<WalletRequest | undefined> {
    const { network, journal } = this.#options;
    const { account } = journal.book.sessions.get(request.session) ?? { account: this.#account };
    const context = { network, wallet: this.#walletNamed(account), signal: this.#ends.signal };
    const looked = await lookUpItems(request, context);
    if (looked === request) {
      return request;
    }
    if (context.signal.aborted || !this.#isPending(request)) {
      return undefined;
    }
    if ('error' in looked) {
      this.#runner.answer(request, looked);
      return undefined;
    }
    journal.add({ type: 'request', request: looked });
    return looked;
  }

  /** Tells a request, and decides it if a script or a rule does; what somebody decides is rehearsed first. */
  async #ask(given: WalletRequest): Promise<void> {
    const { sessions } = this.#options.journal.book;
    const request = await this.#lookUp(given);
    if (request === undefined) {
      return;
    }
    const verdict = this.#script.shift() ?? ruledVerdict(sessions.get(request.session)?.approval ?? 'ask');
    const rehearsed = verdict === undefined ? await this.rehearse(request) : undefined;
    const session = sessions.get(request.session);
    if (session === undefined || !this.#isPending(request) || this.#ends.signal.aborted) {
      return;
    }
    this.#events.tell({ type: 'request', request, session, rehearsed });
    // A listener may have decided it already.
    if (verdict !== undefined && this.#isPending(request)) {
      this.#runner.decide(request, verdict);
    }
  }

  #isPending({ number }: WalletRequest): boolean {
    return this.pending.some((one) => one.number === number);
  }

  /** If there are too many connections, forgets one that is not in use. */
  #makeRoom(): void {
    const { journal, clock } = this.#options;
    if (this.sessions.length < limits.walletSessions.most) {
      return;
    }
    const over = sessionToForget(journal.book, this.bridge, clock.now());
    if (over === undefined) {
      throw walletFullError();
    }
    this.#end(over.id, over.state === 'connected');
    journal.add({ type: 'forgotten', session: over.id });
  }

  /** As the dApp was told. */
  #featuresOf({ account, features }: WalletSession): WalletFeatures {
    return featuresOf(this.#walletNamed(account).kind, features);
  }

  #walletNamed(name: string): LocalAccount {
    return accountNamed(this.#options.network, name);
  }
}
