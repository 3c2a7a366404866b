/** A minimal event emitter. */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => void>();

  /** Returns a function that removes the listener. */
  add(listener: (value: T) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  tell(value: T): void {
    this.#all.forEach((listener) => listener(value));
  }
}
