/** Looks up what a typed text needs before it can be read. */
export interface LookUp {
  /**
   * Undefined if nothing is missing, a promise while it is looked up (it must not reject), or a sentence that says what
   * cannot be found.
   */
  begin(text: string): Promise<void> | string | undefined;
  /** The text, with what was found for its parts. */
  shown(text: string): string;
}

/** The look-ups of one box. While one is under way, Enter waits for it. */
export class TypedLookUps {
  readonly #lookUp: LookUp | undefined;
  readonly #onFound: (text: string, isAccepted: boolean) => void;
  readonly #pending = new Set<string>();
  #accepted: string | undefined;

  /** @param onFound called after a look-up; `isAccepted`: Enter was pressed on this text in the meantime */
  constructor(lookUp: LookUp | undefined, onFound: (text: string, isAccepted: boolean) => void) {
    this.#lookUp = lookUp;
    this.#onFound = onFound;
  }

  /** Why the text cannot be read, better than what its reader says: it is being looked up, or cannot be found. */
  reason(text: string): { isPending: boolean; text: string } | undefined {
    const found = this.#pending.has(text) ? undefined : this.#lookUp?.begin(text);
    if (typeof found === 'object') {
      this.#pending.add(text);
      void found.then(() => {
        this.#pending.delete(text);
        this.#onFound(text, this.#accepted === text);
      });
    }
    return this.#pending.has(text)
      ? { isPending: true, text: 'Looking it up…' }
      : typeof found === 'string'
        ? { isPending: false, text: found }
        : undefined;
  }

  /** Enter was pressed on a text that is being looked up. */
  accept(text: string): void {
    this.#accepted = text;
  }
}
