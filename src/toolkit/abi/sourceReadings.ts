/** Keeps what texts were read as: in a project many files import the same ones. */
export class SourceReadings {
  readonly #known = new Map<string, unknown>();

  has(text: string): boolean {
    return this.#known.has(text);
  }

  /** The reading of `text`, made by `read` when it is first asked for; each text is read in one way only. */
  of<T>(text: string, read: () => T): T {
    if (!this.#known.has(text)) {
      this.#known.set(text, read());
    }
    return this.#known.get(text) as T;
  }
}
