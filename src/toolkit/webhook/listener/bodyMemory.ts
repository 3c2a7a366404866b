import { limits } from '../../limits';

/** Bodies up to this size may use all of the memory, larger ones three quarters of it. */
const smallBody = 16 * 1024;

/**
 * The memory that bodies may take while their requests are not answered, over all connections: they are kept before
 * anybody knows whether they are genuine. Deliveries are small, so large bodies leave room for them.
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
   * @param total what that body has in all, with this
   * @returns false when it is not there; nothing is taken then
   */
  take(bytes: number, total: number): boolean {
    const most = total <= smallBody ? this.#most : this.#most * 0.75;
    if (this.#held + bytes > most) {
      return false;
    }
    this.#held += bytes;
    return true;
  }

  /** Gives back what was taken. */
  free(bytes: number): void {
    this.#held -= bytes;
  }
}
