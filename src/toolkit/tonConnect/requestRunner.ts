import { Base64, SessionCrypto, hexToByteArray } from '@tonconnect/protocol';
import { createHash, randomBytes } from 'node:crypto';
import nacl from 'tweetnacl';
import { parseBocInput } from '../cell/parseBocInput';
import type { LocalAccount } from '../accounts/localAccount';
import type { Log } from '../base/log';
import { readExternalMessage } from '../send/externalMessage';
import type { Clock } from '../base/time';
import type { Bridge, BridgeEvent } from './bridge';
import type { AskedRequestFacts, RequestOutcome } from './carryOut';
import { carryOut, otherChain } from './carryOut';
import type { ProtocolError, WalletVerdict } from './protocol';
import { usualLateness } from './protocol';
import type { WalletAnswer, WalletBook, WalletEntry, WalletRequest, WalletSession } from './walletBook';
import type { WalletJournal } from './walletJournal';
import type { WalletNetwork } from './walletNetwork';

export interface RequestRunnerOptions {
  network: WalletNetwork;
  journal: WalletJournal;
  bridge: Bridge;
  version: string;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  walletOf: (name: string) => LocalAccount;
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
  readonly #usedSeqnos: Map<string, number>;
  #lastEventId = 0;

  constructor(options: RequestRunnerOptions) {
    this.#options = options;
    this.#usedSeqnos = usedSeqnos(options.journal.book);
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
    const before = this.#turns.get(account) ?? Promise.resolve();
    const turn = before.then(() => this.#run(request, verdict));
    const settled = turn.catch((error: unknown) => {
      if (!this.#options.signal.aborted) {
        log.error(`request ${request.number} of the test wallet`, error);
      }
    });
    this.#turns.set(account, settled);
  }

  /** Resolves when nothing is being carried out. */
  async idle(): Promise<void> {
    await Promise.all(this.#turns.values());
  }

  async #run(request: WalletRequest, verdict: WalletVerdict): Promise<void> {
    const { journal, network, clock, version, signal, walletOf } = this.#options;
    const session = journal.book.sessions.get(request.session);
    if (session === undefined || signal.aborted) {
      return;
    }
    const wallet = walletOf(session.account);
    const onSigned = (boc: string): void => journal.add({ type: 'signed', number: request.number, boc });
    const usedSeqnos = this.#usedSeqnos;
    const context = { network, clock, version, session, wallet, usedSeqnos, signal, onSigned };
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
    const { error, hash, result } = outcome;
    const answer: WalletAnswer = {
      ...answerHead(request, clock.now()),
      ...(verdict === undefined ? {} : { decision: verdict.decision }),
      isAnswered: !isLost,
      ...(isUnheard ? { isUnheard } : {}),
      ...(request.method === 'connect' || result === undefined ? {} : { result }),
      ...(error === undefined ? {} : { error }),
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

function connectEvent(id: number, { result, error }: RequestOutcome): object {
  return error === undefined
    ? { event: 'connect', id, payload: result }
    : { event: 'connect_error', id, payload: error };
}

/** The last seqno that each account, by its name, has signed for: as the kept answers tell. */
function usedSeqnos({ answers, sessions }: Pick<WalletBook, 'answers' | 'sessions'>): Map<string, number> {
  const used = new Map<string, number>();
  for (const { method, session, result } of answers.toReversed()) {
    const account = sessions.get(session)?.account;
    if (
      method === 'sendTransaction' &&
      account !== undefined &&
      typeof result === 'string' &&
      !used.has(account)
    ) {
      const seqno = readExternalMessage(parseBocInput(result)).signed?.seqno;
      used.set(account, seqno ?? 0);
    }
  }
  return used;
}

type SessionKeys = NonNullable<WalletSession['keys']>;

/** A new session's keys; the public one is the wallet's client id. */
function newSessionKeys(): { publicKey: string; secretKey: string } {
  return new SessionCrypto().stringifyKeypair();
}

/** A message for the dApp: encrypted on the bridge, plain for the script in the page. */
function seal({ kind, keys, app }: WalletSession, message: object): string {
  const text = JSON.stringify(message);
  if (kind === 'injected' || keys === undefined) {
    return text;
  }
  const nonce = nacl.randomBytes(nacl.box.nonceLength);
  const box = nacl.box.after(Buffer.from(text, 'utf8'), nonce, sharedKey(keys, app));
  return Buffer.concat([nonce, box]).toString('base64');
}

/** A dApp's message in plain text; undefined if it was not made for this session by its dApp. */
export function unseal({ kind, keys, app }: WalletSession, message: string): string | undefined {
  if (kind === 'injected' || keys === undefined) {
    return message;
  }
  try {
    const bytes = Base64.decode(message).toUint8Array();
    const nonce = bytes.subarray(0, nacl.box.nonceLength);
    const text = nacl.box.open.after(bytes.subarray(nonce.length), nonce, sharedKey(keys, app));
    return text === null ? undefined : Buffer.from(text).toString('utf8');
  } catch {
    return undefined;
  }
}

/** By the wallet's keys, which each session has of its own. */
const sharedKeys = new WeakMap<SessionKeys, Uint8Array>();

/** The key of a session's messages. Agreeing on it takes longer than all else about a message. */
function sharedKey(keys: SessionKeys, app: string): Uint8Array {
  const known = sharedKeys.get(keys);
  if (known !== undefined) {
    return known;
  }
  const made = nacl.box.before(hexToByteArray(app), hexToByteArray(keys.secretKey));
  sharedKeys.set(keys, made);
  return made;
}

/** Tells whether two messages are one that was sent twice. */
export function digestOf(message: string): string {
  return createHash('sha256').update(message).digest('hex');
}

/**
 * A connection that was asked for, with keys of its own if it is encrypted; its manifest is not read yet.
 * @param since milliseconds since the Unix epoch
 */
export function newSession(
  asked: Pick<WalletSession, 'app' | 'kind' | 'account' | 'chain' | 'approval'>,
  manifestUrl: string,
  since: number,
): WalletSession {
  const keys = asked.kind === 'bridge' ? newSessionKeys() : undefined;
  return {
    ...asked,
    id: keys?.publicKey ?? randomBytes(32).toString('hex'),
    ...(keys === undefined ? {} : { keys }),
    dApp: { manifestUrl, domain: new URL(manifestUrl).host, isFetched: false },
    since,
    state: 'pending',
  };
}
