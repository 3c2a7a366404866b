/** Those who want to hear of something. */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => void>();

  /** Returns how to stop. */
  add(listener: (value: T) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(value: T): void {
    this.#all.forEach((listener) => listener(value));
  }
}
