/** The languages of contract sources. */
export type SourceLanguage = 'tolk' | 'func' | 'tact';

/** The language of a source by the ending of its path; undefined for anything else. */
export function sourceLanguage(path: string): SourceLanguage | undefined {
  const ending = /\.(tolk|fc|func|tact)$/i.exec(path)?.[1]?.toLowerCase();
  return ending === 'tolk' || ending === 'tact' ? ending : ending === undefined ? undefined : 'func';
}

/** Keeps what texts were read as: in a project many files import the same ones. */
export class SourceReadings {
  readonly #known = new Map<string, unknown>();

  has(way: SourceLanguage | 'words', text: string): boolean {
    return this.#known.has(`${way} ${text}`);
  }

  /**
   * The reading of `text`, made by `read` when it is first asked for.
   * @param way how it is read: the same text can be a file of two languages, and each reads it in its own way
   */
  of<T>(way: SourceLanguage | 'words', text: string, read: () => T): T {
    const key = `${way} ${text}`;
    if (!this.#known.has(key)) {
      this.#known.set(key, read());
    }
    return this.#known.get(key) as T;
  }
}
