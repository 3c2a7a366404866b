import type { Access } from '../access/createAccess';
import { StreamBell } from '../access/streamBell';
import type { StreamEvent } from '../access/watchStream';
import { groupBy } from '../base/collections';
import { limits } from '../base/limits';
import type { Clock } from '../base/time';

/** Milliseconds; blocks come in bursts, and only the last one counts. */
const debounceMs = 150;
/** Except on the local network: minimum interval per call, and at most half the rate limit for all of them. */
const shortestMs = 5_000;
const publicPerSecond = 0.5;
/** Runs for one event of a stream: the service that runs the call may be behind the one that streams. */
const runsForEvent = 2;

export interface WatchScheduleOptions<T> {
  /** Runs a call. Runs of one call never overlap; a failure does not end the watch. */
  run: (watch: T) => Promise<void>;
  /** Whether the call goes to the local network. */
  isLocal: (watch: T) => boolean;
  onError: (watch: T, error: unknown) => void;
  /** Calls `work` after `ms`; returns what cancels it. */
  after: (ms: number, work: () => void) => () => void;
  /** Without it, calls elsewhere run at an interval. */
  streams?: WatchStreams<T> | undefined;
}

interface WatchPlace {
  network: string;
  address: string;
}

/** How to hear of what calls depend on. */
export interface WatchStreams<T> {
  /** The network's name, and the account, raw and in lowercase; undefined while that is not known. */
  placeOf: (watch: T) => WatchPlace | undefined;
  /** Called when a stream tells of calls from now on, or no longer. */
  onHearing?: (() => void) | undefined;
  /** Undefined if there is no such network now. */
  access: (network: string) => Promise<Pick<Access, 'stream' | 'network'> | undefined>;
  clock: Clock;
}

/**
 * When watched calls run again: after each block of the local network; elsewhere when the network's stream says that
 * their account has changed, and at an interval where there is no stream.
 */
export class WatchSchedule<T> {
  readonly #options: WatchScheduleOptions<T>;
  readonly #after: (ms: number, work: () => void) => () => void;
  readonly #running = new Set<T>();
  /** Requested while they ran: run once more. */
  readonly #due = new Set<T>();
  readonly #waits = new Map<Wait, () => void>();
  readonly #ears: Ears<T> | undefined;
  /** Whose account has changed, and how often each is still to run for that. */
  readonly #changed = new Map<T, number>();
  #watches: readonly T[] = [];

  constructor(options: WatchScheduleOptions<T>) {
    this.#options = options;
    this.#after = options.after;
    this.#ears =
      options.streams &&
      new Ears(options.streams, {
        onChange: (isConcerned, runs) => this.#hear(isConcerned, runs),
        onLive: () => {
          this.#waitForInterval();
          options.streams?.onHearing?.();
        },
      });
  }

  get watches(): readonly T[] {
    return this.#watches;
  }

  /** Watches a call, and runs it now. */
  add(watch: T): void {
    this.#watches = [...this.#watches, watch];
    this.#waitForInterval();
    this.#listenSoon();
    void this.#run(watch);
  }

  /** Keeps only these watches. */
  keep(isKept: (watch: T) => boolean): void {
    this.#watches = this.#watches.filter(isKept);
    if (this.#local().length === 0) {
      this.#cancel('block');
    }
    [...this.#changed.keys()].forEach((watch) => isKept(watch) || this.#changed.delete(watch));
    if (this.#others().length === 0) {
      (['interval', 'listen', 'change', 'rest'] as const).forEach((name) => this.#cancel(name));
      this.#ears?.listen([]);
    } else {
      this.#listenSoon();
    }
  }

  /** Whether a stream tells when the account of a call changes; otherwise it runs at an interval. */
  hears(watch: T): boolean {
    return this.#ears?.hears(watch) === true;
  }

  /** Another place of a call is known now. */
  placeKnown(): void {
    this.#listenSoon();
  }

  /** The local network made a block. */
  blockMade(): void {
    if (this.#local().length > 0 && !this.#waits.has('block')) {
      this.#wait('block', debounceMs, () => this.#local().forEach((watch) => void this.#run(watch)));
    }
  }

  #local(): readonly T[] {
    return this.#watches.filter((watch) => this.#options.isLocal(watch));
  }

  #others(): readonly T[] {
    return this.#watches.filter((watch) => !this.#options.isLocal(watch));
  }

  /** Those of which no stream tells. */
  #unheard(): readonly T[] {
    return this.#others().filter((watch) => !this.hears(watch));
  }

  #waitForInterval(): void {
    const { length } = this.#unheard();
    if (length > 0 && !this.#waits.has('interval')) {
      this.#wait('interval', intervalFor(length), () => {
        void Promise.all(this.#unheard().map((watch) => this.#run(watch))).then(() =>
          this.#waitForInterval(),
        );
      });
    }
  }

  /** Calls are added one after the other. */
  #listenSoon(): void {
    if (this.#ears !== undefined && this.#others().length > 0 && !this.#waits.has('listen')) {
      this.#wait('listen', debounceMs, () => this.#ears?.listen(this.#others()));
    }
  }

  #hear(isConcerned: (watch: T) => boolean, runs: number): void {
    for (const watch of this.#others().filter(isConcerned)) {
      this.#changed.set(watch, Math.max(runs, this.#changed.get(watch) ?? 0));
    }
    this.#waitForChange();
  }

  /** However much changes, those that run for it run no more often than at the interval. */
  #waitForChange(): void {
    if (this.#changed.size > 0 && !this.#waits.has('change') && !this.#waits.has('rest')) {
      this.#wait('change', debounceMs, () => {
        const round = [...this.#changed];
        this.#changed.clear();
        round.forEach(([watch, runs]) => {
          if (runs > 1) {
            this.#changed.set(watch, runs - 1);
          }
          void this.#run(watch);
        });
        this.#wait('rest', intervalFor(round.length), () => this.#waitForChange());
      });
    }
  }

  #wait(name: Wait, ms: number, work: () => void): void {
    const cancel = this.#after(ms, () => {
      this.#waits.delete(name);
      work();
    });
    this.#waits.set(name, cancel);
  }

  #cancel(name: Wait): void {
    this.#waits.get(name)?.();
    this.#waits.delete(name);
  }

  async #run(watch: T): Promise<void> {
    if (this.#running.has(watch)) {
      this.#due.add(watch);
      return;
    }
    this.#running.add(watch);
    do {
      this.#due.delete(watch);
      try {
        await this.#options.run(watch);
      } catch (error) {
        this.#options.onError(watch, error);
      }
    } while (this.#due.has(watch) && this.#watches.includes(watch));
    this.#running.delete(watch);
  }
}

type Wait = 'block' | 'interval' | 'listen' | 'change' | 'rest';

function intervalFor(calls: number): number {
  return Math.max(shortestMs, (calls / publicPerSecond) * 1000);
}

interface Hearing {
  addresses: ReadonlySet<string>;
  /** Undefined until the network is known. */
  bell?: StreamBell;
  isLive: boolean;
}

interface EarOptions<T> {
  /** @param runs how often to run for it */
  onChange: (isConcerned: (watch: T) => boolean, runs: number) => void;
  onLive: () => void;
}

/** Listens to the networks of calls, one stream each, for changes of their accounts. */
class Ears<T> {
  readonly #streams: WatchStreams<T>;
  readonly #options: EarOptions<T>;
  readonly #hearings = new Map<string, Hearing>();

  constructor(streams: WatchStreams<T>, options: EarOptions<T>) {
    this.#streams = streams;
    this.#options = options;
  }

  /** Whether a stream tells when the account of a call changes. */
  hears(watch: T): boolean {
    const place = this.#streams.placeOf(watch);
    const hearing = place && this.#hearings.get(place.network);
    return hearing?.isLive === true && hearing.addresses.has(place?.address ?? '');
  }

  /** Listens for these, and for no others. */
  listen(watches: readonly T[]): void {
    const known = watches.flatMap((watch) => this.#streams.placeOf(watch) ?? []);
    const places = groupBy(known, ({ network }) => network);
    for (const [network, hearing] of this.#hearings) {
      if (!places.has(network)) {
        this.#hearings.delete(network);
        hearing.bell?.close();
      }
    }
    for (const [network, all] of places) {
      const addresses = new Set(all.map(({ address }) => address).slice(0, limits.streamAddresses.most));
      const hearing = this.#hearings.get(network) ?? { addresses, isLive: false };
      hearing.addresses = addresses;
      if (this.#hearings.has(network)) {
        listenFor(hearing);
      } else {
        this.#hearings.set(network, hearing);
        void this.#open(network, hearing);
      }
    }
  }

  async #open(network: string, hearing: Hearing): Promise<void> {
    const { access: accessTo, clock } = this.#streams;
    const access = await accessTo(network).catch(() => undefined);
    if (this.#hearings.get(network) !== hearing) {
      return;
    }
    if (access === undefined) {
      // Asked again when the calls change.
      this.#hearings.delete(network);
      return;
    }
    hearing.bell = new StreamBell({
      ...{ access, clock },
      onRing: (event) => this.#ring(network, event),
      onLive: (isLive) => {
        hearing.isLive = isLive;
        this.#options.onLive();
      },
    });
    listenFor(hearing);
  }

  #ring(network: string, event: StreamEvent | undefined): void {
    const isOf = (watch: T): boolean => this.#streams.placeOf(watch)?.network === network;
    if (event === undefined) {
      // What happened before is not told.
      this.#options.onChange(isOf, 1);
    } else if (event.type === 'account_state_change') {
      this.#options.onChange(
        (watch) => isOf(watch) && this.#streams.placeOf(watch)?.address === event.account,
        runsForEvent,
      );
    }
  }
}

function listenFor({ bell, addresses }: Hearing): void {
  bell?.listen({ types: ['account_state_change'], addresses: [...addresses].sort() });
}
