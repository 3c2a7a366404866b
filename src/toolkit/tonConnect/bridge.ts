import { limits } from '../base/limits';
import type { Clock } from '../base/time';

/** A message on its way to a client. */
export interface BridgeEvent {
  /** Grows with every event of this bridge, also over restarts. */
  id: number;
  /** The receiving client's id. */
  to: string;
  /** The sending client's id. */
  from: string;
  message: string;
  /** Milliseconds since the Unix epoch. */
  expires: number;
}

interface Client {
  /** In order; kept until they expire, since a stream that breaks loses what is in it. */
  events: BridgeEvent[];
  /** The newest event that was given to a stream. */
  given: number;
  streams: Set<(event: BridgeEvent) => void>;
}

/**
 * The queues of a TON Connect bridge. An event is kept until its time to live is over: a client that reconnects with
 * `last_event_id` gets all later ones, each once.
 */
export class Bridge {
  readonly #clients = new Map<string, Client>();
  readonly #clock: Clock;
  /** Those who wait for a client to listen. */
  readonly #arrivals = new Set<() => void>();
  #last: number;

  /** @param restored events of an earlier run, in order */
  constructor(clock: Clock, restored: readonly BridgeEvent[] = []) {
    this.#clock = clock;
    this.#last = Math.max(0, ...restored.map(({ id }) => id));
    for (const event of restored) {
      this.#client(event.to).events.push(event);
    }
  }

  /** Makes an event; {@link publish} delivers it. Its id is by the clock, so that a lost journal cannot repeat one. */
  make(
    event: Pick<BridgeEvent, 'to' | 'from' | 'message'>,
    ttl: number = limits.walletLifetime.most,
  ): BridgeEvent {
    this.#last = Math.max(this.#last + 1, this.#clock.now());
    return { ...event, id: this.#last, expires: this.#clock.now() + ttl * 1000 };
  }

  publish(event: BridgeEvent): void {
    const client = this.#client(event.to);
    this.#forget(client);
    client.events.push(event);
    while (client.events.length > limits.walletQueue.most) {
      client.events.shift();
    }
    for (const stream of client.streams) {
      client.given = event.id;
      stream(event);
    }
  }

  /** Events that no stream of the client has been given yet. */
  waiting(clientId: string): number {
    const client = this.#clients.get(clientId);
    if (client === undefined) {
      return 0;
    }
    this.#forget(client);
    return client.events.filter(({ id }) => id > client.given).length;
  }

  /** Whether the client listens on this bridge now. */
  hears(clientId: string): boolean {
    return (this.#clients.get(clientId)?.streams.size ?? 0) > 0;
  }

  /** Resolves to true as soon as the client listens, to false after `ms` or when the signal fires. */
  untilHeard(clientId: string, ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.hears(clientId) || ms <= 0 || signal.aborted) {
      return Promise.resolve(this.hears(clientId));
    }
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        this.#arrivals.delete(look);
        resolve(this.hears(clientId));
      };
      const look = (): void => {
        if (this.hears(clientId)) {
          end();
        }
      };
      const cancel = this.#clock.after(ms, end, false);
      signal.addEventListener('abort', end, { once: true });
      this.#arrivals.add(look);
    });
  }

  /**
   * Gives the stream the clients' events after `lastEventId` (0: all), then each new one.
   * @returns a function that ends the stream
   */
  listen(
    clientIds: readonly string[],
    lastEventId: number,
    stream: (event: BridgeEvent) => void,
  ): () => void {
    const clients = [...new Set(clientIds)].map((id) => [id, this.#client(id)] as const);
    const missed = clients.flatMap(([, client]) => {
      this.#forget(client);
      // Also what an earlier run has given it.
      client.given = Math.max(client.given, lastEventId);
      return client.events.filter(({ id }) => id > lastEventId);
    });
    for (const event of missed.sort((one, other) => one.id - other.id)) {
      const client = this.#client(event.to);
      client.given = Math.max(client.given, event.id);
      stream(event);
    }
    clients.forEach(([, client]) => client.streams.add(stream));
    [...this.#arrivals].forEach((look) => look());
    return () => {
      for (const [id, client] of clients) {
        client.streams.delete(stream);
        this.#forget(client);
        if (client.streams.size === 0 && client.events.length === 0) {
          this.#clients.delete(id);
        }
      }
    };
  }

  #client(id: string): Client {
    const found = this.#clients.get(id);
    if (found !== undefined) {
      return found;
    }
    const made: Client = { events: [], given: 0, streams: new Set() };
    this.#clients.set(id, made);
    return made;
  }

  #forget(client: Client): void {
    const now = this.#clock.now();
    client.events = client.events.filter(({ expires }) => expires > now);
  }
}
