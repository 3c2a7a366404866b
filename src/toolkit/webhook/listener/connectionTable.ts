import type { Duplex } from 'node:stream';
import { limits } from '../../limits';

/**
 * The open connections of a listener. When there are too many, the oldest that nobody needs makes room for the new one:
 * whoever holds connections without using them keeps no genuine delivery out.
 */
export class ConnectionTable<T extends Duplex> {
  readonly #open = new Set<T>();
  readonly #isAnswering: (connection: T) => boolean;
  readonly #isReading: (connection: T) => boolean;
  readonly #most: number;

  /**
   * @param use what goes on on a connection: a whole request that waits for its answer, or one that is still coming.
   * One that does neither is idle, and goes first.
   */
  constructor(
    use: { isAnswering: (connection: T) => boolean; isReading: (connection: T) => boolean },
    most: number = limits.webhookConnections.most,
  ) {
    this.#isAnswering = use.isAnswering;
    this.#isReading = use.isReading;
    this.#most = most;
  }

  /** Takes a new connection in; when every other waits for its answer, it is closed at once. */
  add(connection: T): void {
    if (this.#open.size >= this.#most) {
      const leaving = this.#oldest((one) => !this.#isAnswering(one) && !this.#isReading(one));
      this.#close(leaving ?? this.#oldest((one) => !this.#isAnswering(one)) ?? connection);
    }
    if (!connection.destroyed) {
      this.#open.add(connection);
      connection.once('close', () => this.#open.delete(connection));
    }
  }

  #oldest(fits: (connection: T) => boolean): T | undefined {
    for (const connection of this.#open) {
      if (fits(connection)) {
        return connection;
      }
    }
    return undefined;
  }

  #close(connection: T): void {
    this.#open.delete(connection);
    connection.destroy();
  }
}
