import type { Duplex } from 'node:stream';
import { limits } from '../../base/limits';

/**
 * The open connections of a listener. If there are too many, the oldest unneeded one is closed for the new one: idle
 * connections cannot keep out genuine deliveries.
 */
export class ConnectionTable<T extends Duplex> {
  readonly #open = new Set<T>();
  readonly #isAnswering: (connection: T) => boolean;
  readonly #isReading: (connection: T) => boolean;

  /**
   * @param use a connection's use: a complete request waiting for its answer, or one still arriving. Others are idle,
   *   and closed first.
   */
  constructor(use: { isAnswering: (connection: T) => boolean; isReading: (connection: T) => boolean }) {
    this.#isAnswering = use.isAnswering;
    this.#isReading = use.isReading;
  }

  /** Accepts a new connection; if every other one waits for its answer, it is closed at once. */
  add(connection: T): void {
    if (this.#open.size >= limits.webhookConnections.most) {
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
