import { parseBocInput } from '../cell/parseBocInput';
import type { LocalAccount } from '../accounts/localAccount';
import type { Log } from '../base/log';
import { readExternalMessage } from '../send/externalMessage';
import type { Clock } from '../base/time';
import type { Bridge, BridgeEvent } from './bridge';
import type { RequestOutcome } from './carryOut';
import { carryOut, otherChain } from './carryOut';
import type { ProtocolError, WalletVerdict } from './protocol';
import { usualLateness } from './protocol';
import type { WalletAnswer, WalletBook, WalletEntry, WalletRequest, WalletSession } from './walletBook';
import type { AskedRequestFacts } from './readTask';
import type { WalletFeatures } from './walletFeatures';
import type { WalletJournal } from './walletJournal';
import type { WalletNetwork } from './walletNetwork';
import { seal } from './walletSession';

export interface RequestRunnerOptions {
  network: WalletNetwork;
  journal: WalletJournal;
  bridge: Bridge;
  version: string;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  walletOf: (name: string) => LocalAccount;
  featuresOf: (session: WalletSession) => WalletFeatures;
  onAnswer: (answer: WalletAnswer, session: WalletSession) => void;
  onSessions: () => void;
}

/**
 * Milliseconds from a request to its answer, at least: the SDK only knows a request after the bridge has acknowledged
 * it, and drops an answer that is there before.
 */
const soonestAnswer = 4;

/**
 * Milliseconds from a request to connect within which its page must have begun to listen: the SDK opens its bridge while
 * it shows the link.
 */
const listenPatience = 3_000;

/** Carries decisions out, one after the other for each account, and answers. */
export class RequestRunner {
  readonly #options: RequestRunnerOptions;
  /** The end of each account's queue. */
  readonly #turns = new Map<string, Promise<void>>();
  /** As `usedSeqnos` of {@link carryOut}. */
  readonly usedSeqnos: Map<string, number>;
  #lastEventId = 0;

  constructor(options: RequestRunnerOptions) {
    this.#options = options;
    this.usedSeqnos = usedSeqnos(options.journal.book);
  }

  /** Ids of wallet events grow, also over restarts. */
  nextEventId(): number {
    this.#lastEventId = Math.max(this.#lastEventId + 1, this.#options.clock.now());
    return this.#lastEventId;
  }

  /** Keeps a decision, then carries it out. */
  decide(request: WalletRequest, verdict: WalletVerdict): void {
    const { journal, clock } = this.#options;
    const late = verdict.decision === 'answer-late' ? (verdict.seconds ?? usualLateness) * 1000 : undefined;
    const notBefore = late === undefined ? undefined : clock.now() + late;
    journal.add({
      type: 'decided',
      number: request.number,
      verdict,
      ...(notBefore === undefined ? {} : { notBefore }),
    });
    this.run({ ...request, notBefore }, verdict);
  }

  /** Carries a decision out after those before it for the same account. */
  run(request: WalletRequest, verdict: WalletVerdict): void {
    const { journal, log } = this.#options;
    const account = journal.book.sessions.get(request.session)?.account ?? '';
    this.inTurn(account, () => this.#run(request, verdict)).catch((error: unknown) => {
      if (!this.#options.signal.aborted) {
        log.error(`request ${request.number} of the test wallet`, error);
      }
    });
  }

  /**
   * Does what signs for an account after what was begun before for it: two that sign at once would sign the same seqno, and
   * the network executes one of them.
   *
   * @param account its name
   */
  inTurn<Result>(
    account: string,
    work: (usedSeqnos: Map<string, number>) => Promise<Result>,
  ): Promise<Result> {
    const before = this.#turns.get(account) ?? Promise.resolve();
    const turn = before.then(() => work(this.usedSeqnos));
    this.#turns.set(
      account,
      turn.then(
        () => undefined,
        () => undefined,
      ),
    );
    return turn;
  }

  /** Resolves when nothing is being carried out. */
  async idle(): Promise<void> {
    await Promise.all(this.#turns.values());
  }

  async #run(request: WalletRequest, verdict: WalletVerdict): Promise<void> {
    const { journal, network, clock, version, signal, walletOf, featuresOf } = this.#options;
    const session = journal.book.sessions.get(request.session);
    if (session === undefined || signal.aborted) {
      return;
    }
    const wallet = walletOf(session.account);
    const onSigned = (boc: string): void => journal.add({ type: 'signed', number: request.number, boc });
    const usedSeqnos = this.usedSeqnos;
    const context = {
      ...{ network, clock, version, session, wallet, features: featuresOf(session) },
      ...{ usedSeqnos, signal, onSigned },
    };
    const outcome = await carryOut(request, verdict, context);
    const { notBefore } = request;
    if (notBefore !== undefined && notBefore > clock.now()) {
      // The next request of the account need not wait for a late answer.
      void clock
        .sleep(notBefore - clock.now(), signal)
        .then(() => this.answer(request, outcome, verdict))
        .catch(() => undefined);
      return;
    }
    const early = request.at + soonestAnswer - clock.now();
    if (early > 0) {
      await clock.sleep(early, signal);
    }
    if (request.method === 'connect' && session.kind === 'bridge') {
      await this.#options.bridge.untilHeard(session.app, request.at + listenPatience - clock.now(), signal);
    }
    this.answer(request, outcome, verdict);
  }

  /** Answers a request that was carried out, once: the answer is on the disk before it leaves. */
  answer(request: WalletRequest, outcome: RequestOutcome, verdict?: WalletVerdict): void {
    const { journal, clock, bridge, onAnswer } = this.#options;
    const session = journal.book.sessions.get(request.session);
    if (session === undefined || !journal.book.requests.has(request.number)) {
      return;
    }
    const isLost = verdict?.decision === 'approve-lose-answer' || session.state === 'ended';
    const isUnheard =
      request.method === 'connect' && session.kind === 'bridge' && !isLost && !bridge.hears(session.app);
    const changed = request.method === 'connect' ? this.#connected(session, outcome, verdict) : session;
    const { error, hash, result, response } = outcome;
    const answer: WalletAnswer = {
      ...answerHead(request, clock.now()),
      ...(verdict === undefined ? {} : { decision: verdict.decision }),
      isAnswered: !isLost,
      ...(isUnheard ? { isUnheard } : {}),
      ...(request.method === 'connect' || result === undefined ? {} : { result }),
      ...(error === undefined ? {} : { error }),
      ...(response === undefined ? {} : { response }),
      ...(hash === undefined ? {} : { hash }),
    };
    const message =
      request.method === 'connect'
        ? connectEvent(this.nextEventId(), outcome)
        : { id: request.id, ...(error === undefined ? { result } : { error }) };
    const event = isLost ? undefined : this.#eventTo(session, message);
    journal.add(
      { type: 'session', session: changed },
      { type: 'answered', answer, ...(event === undefined ? {} : { event }) },
    );
    if (event !== undefined) {
      bridge.publish(event);
    }
    if (event !== undefined && verdict?.decision === 'answer-twice') {
      const again = this.#eventTo(session, message);
      journal.add({ type: 'event', event: again });
      bridge.publish(again);
    }
    onAnswer(answer, changed);
    if (request.method === 'connect') {
      this.#options.onSessions();
    }
  }

  /** Answers a request that nobody is asked about. */
  refuse(asked: AskedRequestFacts, session: WalletSession, error: ProtocolError): void {
    this.#answerSoon(asked, session, { error });
  }

  /** The dApp has ended the connection. */
  disconnected(asked: AskedRequestFacts, session: WalletSession): void {
    this.#answerSoon(asked, session, { result: {} }, this.#endOf(session));
    this.#options.onSessions();
  }

  /** Ends a connection; its pending requests get no answer. */
  end(session: WalletSession, tellsDApp: boolean): void {
    const { journal, bridge, onSessions } = this.#options;
    const event = tellsDApp
      ? this.#eventTo(session, { event: 'disconnect', id: this.nextEventId(), payload: {} })
      : undefined;
    journal.add(...this.#endOf(session), ...(event === undefined ? [] : [{ type: 'event' as const, event }]));
    if (event !== undefined) {
      bridge.publish(event);
    }
    onSessions();
  }

  /** The entries that end a connection. */
  #endOf(session: WalletSession): WalletEntry[] {
    const { journal, clock } = this.#options;
    const open = [...journal.book.requests.values()].filter(
      (request) => request.session === session.id && request.verdict === undefined,
    );
    return [
      { type: 'session', session: { ...session, state: 'ended' } },
      ...open.map(({ number, digest, method }) => ({
        type: 'answered' as const,
        answer: { number, session: session.id, digest, method, isAnswered: false, at: clock.now() },
      })),
    ];
  }

  #connected(
    session: WalletSession,
    { error }: RequestOutcome,
    verdict: WalletVerdict | undefined,
  ): WalletSession {
    const { network } = this.#options;
    const chain = verdict?.decision === 'wrong-network' ? otherChain(network.chain) : network.chain;
    return { ...session, state: error === undefined ? 'connected' : 'ended', chain };
  }

  #eventTo(session: WalletSession, message: object): BridgeEvent {
    const sealed = seal(session, message);
    return this.#options.bridge.make({ to: session.app, from: session.id, message: sealed });
  }

  /** The answer is kept at once, and leaves when the SDK is ready for it. */
  #answerSoon(
    asked: AskedRequestFacts,
    session: WalletSession,
    outcome: RequestOutcome,
    also: readonly WalletEntry[] = [],
  ): void {
    const { journal, bridge, clock, onAnswer } = this.#options;
    const answer: WalletAnswer = { ...answerHead(asked, clock.now()), isAnswered: true, ...outcome };
    const event = this.#eventTo(session, { id: asked.id, ...outcome });
    journal.add({ type: 'session', session }, { type: 'answered', answer, event }, ...also);
    clock.after(Math.max(0, asked.at + soonestAnswer - clock.now()), () => bridge.publish(event), false);
    onAnswer(answer, session);
  }
}

function answerHead(
  { number, session, digest, method }: AskedRequestFacts,
  at: number,
): Pick<WalletAnswer, 'number' | 'session' | 'digest' | 'method' | 'at'> {
  return { number, session, digest, method, at };
}

function connectEvent(id: number, { result, error, response }: RequestOutcome): object {
  return error === undefined
    ? {
        ...{ event: 'connect', id, payload: result },
        ...(response === undefined ? {} : { response: { ...response, id: embeddedId } }),
      }
    : { event: 'connect_error', id, payload: error };
}

/** The answer to the request in a link has an id like every answer, although that request has none. */
const embeddedId = '0';

/** The last seqno that each account, by its name, has signed for: as the kept answers tell. */
function usedSeqnos({ answers, sessions }: Pick<WalletBook, 'answers' | 'sessions'>): Map<string, number> {
  const used = new Map<string, number>();
  for (const { session, result, response } of answers.toReversed()) {
    const account = sessions.get(session)?.account;
    // Only a payment is answered with a text: the message that was sent.
    const sent = [result, response?.result].find((one) => typeof one === 'string');
    if (account !== undefined && sent !== undefined && !used.has(account)) {
      const seqno = readExternalMessage(parseBocInput(sent)).signed?.seqno;
      used.set(account, seqno ?? 0);
    }
  }
  return used;
}
