import type { Access } from '../access/createAccess';
import type { ExternalMessage } from './externalMessage';
import { systemClock } from '../time';
import type { Clock } from '../time';

/** A message that was handed over, and of which nobody knows what became of it. */
export interface OpenOutcome {
  /** Name of the network. */
  network: string;
  /** The account that it goes to, which is the wallet that signed it: raw, `wc:hex`. */
  account: string;
  /** Normalised hash, lower-case hex. */
  hash: string;
  /** Unix seconds after which the account refuses it; absent when it may come at any time. */
  until?: number;
  /** Unix seconds: when it was handed over, by this machine's clock. */
  at: number;
}

/** Where the list is kept from one session to the next; a Memento of the editor is one. */
export interface OutcomeState {
  get<T>(key: string, defaultValue: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Name of the list in the state of the workspace. */
const key = 'openOutcomes';

/** So many are kept; the oldest are forgotten first. */
const most = 100;

/** How far the clocks of this machine and the network may be apart, and how long a hand-over takes, in seconds. */
const clockMargin = 600;

/** Remembers with the workspace which messages may still be executed, until the network tells. */
export class OpenOutcomes {
  readonly #state: OutcomeState;
  readonly #clock: Clock;

  constructor(state: OutcomeState, clock: Clock = systemClock) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Keeps a message whose outcome is unknown. */
  async remember(
    network: string,
    { hashNorm: hash, destination }: Pick<ExternalMessage, 'hashNorm' | 'destination'>,
    until: number | undefined,
  ): Promise<void> {
    const at = Math.floor(this.#clock.now() / 1000);
    const account = destination.toRawString();
    const entry = { network, account, hash, at, ...(until === undefined ? {} : { until }) };
    const others = this.#all().filter((one) => !(one.network === network && one.hash === hash));
    await this.#state.update(key, [...others, entry].slice(-most));
  }

  /**
   * The earlier messages of the same account on the same network that may still be executed, newest first. Asks the network
   * about each, and forgets those that it shows and those whose time is over. The message itself does not count: a wallet
   * executes it once, however often it is sent.
   */
  async openBeside(
    access: Access,
    { hashNorm, destination }: Pick<ExternalMessage, 'hashNorm' | 'destination'>,
    signal?: AbortSignal,
  ): Promise<OpenOutcome[]> {
    const account = destination.toRawString();
    const { name } = access.network;
    const earlier = this.#all().filter(
      (one) => one.network === name && one.account === account && one.hash !== hashNorm,
    );
    if (earlier.length === 0) {
      return [];
    }
    const { messageFate } = await import('./messageFate');
    const open: OpenOutcome[] = [];
    for (const one of earlier) {
      const handedOver = { hashNorm: one.hash, destination, until: one.until, since: one.at - clockMargin };
      // Where the network cannot tell, it stays open.
      const fate = await messageFate(access, handedOver, { signal, clock: this.#clock }).catch(
        () => 'unseen' as const,
      );
      if (fate === 'unseen') {
        open.unshift(one);
      } else {
        await this.#forget(one);
      }
    }
    return open;
  }

  async #forget({ network, hash }: OpenOutcome): Promise<void> {
    const left = this.#all().filter((one) => !(one.network === network && one.hash === hash));
    await this.#state.update(key, left);
  }

  #all(): OpenOutcome[] {
    return this.#state.get<OpenOutcome[]>(key, []);
  }
}
