import type { Access } from '../access/createAccess';
import type { ExternalMessage } from './externalMessage';
import { systemClock } from '../time';
import type { Clock } from '../time';

/** A message that was handed over, with an unknown outcome. */
export interface OpenOutcome {
  /** Name of the network. */
  network: string;
  /** Its destination, which is the wallet that signed it: raw, `wc:hex`. */
  account: string;
  /** Normalized hash, lowercase hex. */
  hash: string;
  /** Unix seconds after which the account rejects it; absent if it may be executed at any time. */
  until?: number;
  /** Unix seconds of the hand-over, by this machine's clock. */
  at: number;
}

/** Storage for the list between sessions; a Memento of the editor is one. */
export interface OutcomeState {
  get<T>(key: string, defaultValue: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Key of the list in the workspace state. */
const key = 'openOutcomes';

/** Maximum entries; the oldest are dropped first. */
const most = 100;

/** Tolerance for clock differences between this machine and the network, plus the time of a hand-over, in seconds. */
const clockMargin = 600;

/** Remembers per workspace which messages may still be executed, until the network can tell. */
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
   * The earlier messages of the same account on the same network that may still be executed, newest first. Asks the
   * network about each, and drops those it has found and those that have expired. The message itself does not count:
   * a wallet executes it once, however often it is sent.
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
      // If the network cannot tell, it stays open.
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
