import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import type { BridgeEvent } from './bridge';
import type { ConnectRequest, EmbeddedTask } from './connectLink';
import type { Approval, ProtocolError, RelayWay, WalletDecision, WalletVerdict } from './protocol';
import { decisionTitles, walletDecisions } from './protocol';
import type { FeatureWord } from './walletFeatures';
import type { RelayOutcome } from './walletNetwork';

/** One step of a wallet, as it is kept on the disk. */
export type WalletEntry =
  | { type: 'session'; session: WalletSession }
  | { type: 'forgotten'; session: string }
  | { type: 'seen'; session: string; digests: readonly string[] }
  | { type: 'request'; request: WalletRequest }
  | { type: 'decided'; number: number; verdict: WalletVerdict; notBefore?: number | undefined }
  | { type: 'signed'; number: number; boc: string }
  | { type: 'answered'; answer: WalletAnswer; event?: BridgeEvent | undefined }
  | { type: 'relayed'; number: number; relay: RelayRecord }
  | { type: 'event'; event: BridgeEvent };

/** Answers kept to be shown. */
const keptAnswers = 100;

/** Submissions kept of each signed message. */
const keptRelays = 20;

/** What a wallet knows: the sum of its entries. */
export class WalletBook {
  /** By the wallet's client id, oldest first. */
  readonly sessions = new Map<string, WalletSession>();
  /** Not answered yet, by number. */
  readonly requests = new Map<number, WalletRequest>();
  /** Digests of the newest messages of each session: at most as many as may wait. */
  readonly seen = new Map<string, readonly string[]>();
  /** Newest last. */
  answers: WalletAnswer[] = [];
  /** What was sent to dApps, until it expires. */
  events: BridgeEvent[] = [];
  /** The greatest number of a request so far. */
  last = 0;

  apply(entry: WalletEntry): void {
    switch (entry.type) {
      case 'session':
        this.sessions.set(entry.session.id, entry.session);
        return;
      case 'forgotten':
        this.sessions.delete(entry.session);
        this.seen.delete(entry.session);
        return;
      case 'seen':
        this.seen.set(entry.session, entry.digests);
        return;
      case 'request':
        this.#see(entry.request);
        this.requests.set(entry.request.number, entry.request);
        this.last = Math.max(this.last, entry.request.number);
        return;
      case 'decided':
        this.#change(entry.number, { verdict: entry.verdict, notBefore: entry.notBefore });
        return;
      case 'signed':
        this.#change(entry.number, { boc: entry.boc });
        return;
      case 'answered':
        this.#see(entry.answer);
        this.requests.delete(entry.answer.number);
        this.last = Math.max(this.last, entry.answer.number);
        this.answers = [...this.answers, entry.answer].slice(-keptAnswers);
        this.#add(entry.event);
        return;
      case 'relayed':
        this.answers = this.answers.map((answer) =>
          answer.number === entry.number
            ? { ...answer, relays: [...(answer.relays ?? []), entry.relay].slice(-keptRelays) }
            : answer,
        );
        return;
      case 'event':
        this.#add(entry.event);
    }
  }

  /** The fewest entries that add up to the same, for a journal that starts over. */
  entries(now: number): WalletEntry[] {
    return [
      ...[...this.sessions.values()].map((session) => ({ type: 'session' as const, session })),
      ...[...this.seen].map(([session, digests]) => ({ type: 'seen' as const, session, digests })),
      ...[...this.requests.values()].map((request) => ({ type: 'request' as const, request })),
      ...this.answers.map((answer) => ({ type: 'answered' as const, answer })),
      ...this.events
        .filter(({ expires }) => expires > now)
        .map((event) => ({ type: 'event' as const, event })),
    ];
  }

  #change(number: number, change: Partial<Pick<WalletRequest, 'verdict' | 'notBefore' | 'boc'>>): void {
    const request = this.requests.get(number);
    if (request !== undefined) {
      this.requests.set(number, { ...request, ...change });
    }
  }

  #see({ session, digest }: Pick<WalletRequest, 'session' | 'digest'>): void {
    const seen = this.seen.get(session) ?? [];
    if (!seen.includes(digest)) {
      this.seen.set(session, [...seen, digest].slice(-limits.walletQueue.most));
    }
  }

  #add(event: BridgeEvent | undefined): void {
    if (event !== undefined) {
      this.events = [...this.events, event].slice(-limits.walletEvents.most);
    }
  }
}

/** A dApp as the wallet knows it. */
export interface DApp {
  manifestUrl: string;
  /** From the manifest; undefined if that was not fetched. */
  name?: string | undefined;
  url?: string | undefined;
  /** What signatures are bound to: the host of the manifest's `url`, else that of the manifest itself. */
  domain: string;
  /** Only manifests on this machine are fetched. */
  isFetched: boolean;
}

/** A connection of a dApp. */
export interface WalletSession {
  /** The wallet's client id in this session. */
  id: string;
  /** `bridge`: end-to-end encrypted. `injected`: the script in the page, in plain text. */
  kind: 'bridge' | 'injected';
  /** The dApp's client id. */
  app: string;
  /** X25519 keys, hex; only with `bridge`. */
  keys?: { publicKey: string; secretKey: string } | undefined;
  /** The name of the account it is connected to. */
  account: string;
  dApp: DApp;
  /** Milliseconds since the Unix epoch. */
  since: number;
  state: 'pending' | 'connected' | 'ended';
  /** The chain id that the dApp was told: another one if the network was to be wrong. */
  chain: string;
  /** What happens to its requests; that to connect is the first. */
  approval: Approval;
  /** The greatest id of a request, decimal; undefined before the first. */
  lastId?: string | undefined;
  /** What its wallet lacks, as it was told. */
  features?: readonly FeatureWord[] | undefined;
  /** The chain id that the dApp would have liked when it connected, if it is another one. */
  wantedChain?: string | undefined;
}

/** Why a request cannot be decided: it was already, it was withdrawn, or it is not known. */
export function notPendingError(
  number: number,
  { requests, answers }: Pick<WalletBook, 'requests' | 'answers'>,
): WorkbenchError {
  const verdict = requests.get(number)?.verdict;
  if (verdict !== undefined) {
    return decidedError(number, verdict.decision, 'The dApp is answered once that is carried out.');
  }
  const answer = answers.findLast((one) => one.number === number);
  if (answer?.decision !== undefined) {
    const { decision, isAnswered } = answer;
    return decidedError(number, decision, isAnswered ? 'The dApp was answered.' : 'The dApp gets no answer.');
  }
  return answer?.isAnswered === false ? withdrawnError(number) : requestUnknownError(number);
}

function decidedError(number: number, decision: WalletDecision, hint: string): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-request-decided',
    kind: 'input',
    message: `Request ${number} was decided already: ${decisionTitles[decision]}.`,
    hint,
  });
}

function withdrawnError(number: number): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-request-decided',
    kind: 'input',
    message: `Request ${number} was withdrawn: the connection of its dApp has ended.`,
    hint: 'Connect the dApp again, and let it ask again.',
  });
}

/** Nobody can be asked about a request that is not pending. */
export function requestUnknownError(number: number): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-request-unknown',
    kind: 'input',
    message: `There is no pending request ${number}.`,
    hint: 'It was answered or withdrawn, or it never came.',
  });
}

/** What a dApp asks for. */
export type WalletTask = { method: 'connect'; params: ConnectRequest } | EmbeddedTask;

/** A task that sends or signs a message. */
export type MessageTask = EmbeddedTask & { method: 'sendTransaction' | 'signMessage' };

/** What a request would make the wallet send or sign; undefined for one that does neither. */
export function messageTask(request: WalletRequest): MessageTask | undefined {
  const { embedded } = request.method === 'connect' ? request.params : {};
  const task = request.method === 'connect' ? embedded && 'task' in embedded && embedded.task : request;
  return task !== undefined && task !== false && task.method !== 'signData' ? task : undefined;
}

/** A request of a dApp that is not answered yet. */
export type WalletRequest = WalletTask & {
  /** 1, 2, 3 …: how people and scripts name it. */
  number: number;
  /** The wallet's client id in its session. */
  session: string;
  /** The id in the answer; empty for `connect`. */
  id: string;
  /** SHA-256 of the message it came in, hex: the same message again is not another request. */
  digest: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
  verdict?: WalletVerdict | undefined;
  /** Milliseconds since the Unix epoch: not answered before. */
  notBefore?: number | undefined;
  /** The message it has led to, BoC in base64: signed once, and the only one that is ever sent or given out for it. */
  boc?: string | undefined;
};

/** A request that was decided and is not answered yet. */
export interface DecidedRequest extends Pick<WalletRequest, 'number' | 'notBefore'> {
  decision: WalletDecision;
}

/** Where a request stands. */
export type RequestStage =
  | { kind: 'pending' }
  | { kind: 'decided'; decided: DecidedRequest }
  | { kind: 'answered'; answer: WalletAnswer }
  /** Its connection has ended before anybody decided it. */
  | { kind: 'withdrawn' }
  /** The wallet does not run: it goes on with its next start. */
  | { kind: 'stopped' };

/** What a request was answered. */
export interface WalletAnswer {
  number: number;
  session: string;
  /** As in the request. */
  digest: string;
  method: string;
  /** Undefined if the request was refused before anybody was asked. */
  decision?: WalletDecision | undefined;
  /** False if the answer was lost on purpose, or nobody is there to get it. */
  isAnswered: boolean;
  /** No page with the dApp's id listened on this wallet's bridge: the answer waits there, and nobody may come for it. */
  isUnheard?: true | undefined;
  /** What the dApp was told; undefined for an approved connection. */
  result?: unknown;
  error?: ProtocolError | undefined;
  /** Of an approved connection: what the request in its link was answered. */
  response?: { result?: unknown; error?: ProtocolError } | undefined;
  /** Normalized hash of the message that was sent, lowercase hex. */
  hash?: string | undefined;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** What was done with the signed message, as its relayer would, oldest first. */
  relays?: readonly RelayRecord[] | undefined;
}

/** The signed message that a dApp was given, BoC in base64; undefined if the answer has none. */
export function signedMessageOf({ result, response }: WalletAnswer): string | undefined {
  const [found] = [result, response?.result].flatMap((one) =>
    typeof one === 'object' && one !== null && 'internalBoc' in one ? one.internalBoc : [],
  );
  return typeof found === 'string' ? found : undefined;
}

/** The decisions that a request may have: there is something beside the connection to decline only in some links. */
export function decisionsFor(request: WalletRequest | undefined): WalletDecision[] {
  const hasMore = request?.method === 'connect' && request.params.embedded !== undefined;
  return walletDecisions.filter((decision) => decision !== 'connect-only' || hasMore);
}

/** A submission of a signed message. */
export interface RelayRecord {
  way: RelayWay;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** One of each time that it was submitted. */
  outcomes: readonly RelayOutcome[];
}
