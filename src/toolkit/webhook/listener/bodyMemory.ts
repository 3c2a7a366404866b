import { limits } from '../../limits';

/** Bodies up to this size may use all of the memory, larger ones three quarters of it. */
const smallBody = 16 * 1024;

/**
 * The memory for bodies of unanswered requests, over all connections: they are buffered before they can be
 * authenticated. Deliveries are small, so large bodies must leave room for them.
 */
export class BodyMemory {
  readonly #most: number;
  #held = 0;

  constructor(most: number = limits.webhookBodies.most) {
    this.#most = most;
  }

  /** Bytes in use. */
  get held(): number {
    return this.#held;
  }

  /**
   * Takes more for one body.
   * @param total the body's total, including this
   * @returns false if there is not enough; then nothing is taken
   */
  take(bytes: number, total: number): boolean {
    const most = total <= smallBody ? this.#most : this.#most * 0.75;
    if (this.#held + bytes > most) {
      return false;
    }
    this.#held += bytes;
    return true;
  }

  /** Gives memory back. */
  free(bytes: number): void {
    this.#held -= bytes;
  }
}
