import { limits } from '../limits';
import type { BridgeEvent } from './bridge';
import type { WalletVerdict } from './protocol';
import type { WalletAnswer, WalletRequest } from './walletRequest';
import type { WalletSession } from './walletSession';

/** One step of a wallet, as it is kept on the disk. */
export type WalletEntry =
  | { type: 'session'; session: WalletSession }
  | { type: 'forgotten'; session: string }
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
        return;
      case 'request':
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

  #add(event: BridgeEvent | undefined): void {
    if (event !== undefined) {
      this.events = [...this.events, event].slice(-limits.walletEvents.most);
    }
  }
}
