/** The languages of contract sources. */
export type SourceLanguage = 'tolk' | 'func' | 'tact';

/** The language of a source by the ending of its path; undefined for anything else. */
export function sourceLanguage(path: string): SourceLanguage | undefined {
  const ending = /\.(tolk|fc|func|tact)$/i.exec(path)?.[1]?.toLowerCase();
  return ending === 'tolk' || ending === 'tact' ? ending : ending === undefined ? undefined : 'func';
}

/** How a text is read: the same text can be a file of two languages, and each reads it in its own way. */
type Way = SourceLanguage | 'words';

/** Keeps what texts were read as: in a project many files import the same ones. */
export class SourceReadings {
  /** The texts themselves are the keys: a key made of one would be hashed anew each time, and they are long. */
  readonly #known = new Map<Way, Map<string, unknown>>();

  has(way: Way, text: string): boolean {
    return this.#known.get(way)?.has(text) === true;
  }

  /** The reading of `text`, made by `read` when it is first asked for. */
  of<T>(way: Way, text: string, read: () => T): T {
    const known = this.#known.get(way) ?? new Map<string, unknown>();
    this.#known.set(way, known);
    if (!known.has(text)) {
      known.set(text, read());
    }
    return known.get(text) as T;
  }
}
