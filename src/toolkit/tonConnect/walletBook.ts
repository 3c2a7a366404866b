import { limits } from '../limits';
import type { BridgeEvent } from './bridge';
import type { WalletVerdict } from './protocol';
import type { WalletAnswer, WalletRequest } from './walletRequest';
import type { WalletSession } from './walletSession';

/** One step of a wallet, as it is kept on the disk. */
export type WalletEntry =
  | { type: 'session'; session: WalletSession }
  | { type: 'forgotten'; session: string }
  | { type: 'seen'; session: string; digests: readonly string[] }
  | { type: 'request'; request: WalletRequest }
  | { type: 'decided'; number: number; verdict: WalletVerdict; notBefore?: number | undefined }
  | { type: 'signed'; number: number; boc: string }
  | { type: 'answered'; answer: WalletAnswer; event?: BridgeEvent | undefined }
  | { type: 'event'; event: BridgeEvent };

/** Answers kept to be shown. */
const keptAnswers = 100;

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
