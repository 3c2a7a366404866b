/** The languages of contract sources. */
export type SourceLanguage = 'tolk' | 'func' | 'tact';

/** A source's language by its path's extension; undefined for others. */
export function sourceLanguage(path: string): SourceLanguage | undefined {
  const ending = /\.(tolk|fc|func|tact)$/i.exec(path)?.[1]?.toLowerCase();
  return ending === 'tolk' || ending === 'tact' ? ending : ending === undefined ? undefined : 'func';
}

/** How a text is parsed: the same text can be a file of two languages, each with its own reader. */
type Way = SourceLanguage | `words of ${SourceLanguage}` | 'bodies of func' | 'types of func';

/** Caches parsed texts: many files of a project import the same ones. */
export class SourceReadings {
  /** The texts themselves are the keys: a derived key would have to be hashed each time, and texts are long. */
  readonly #known = new Map<Way, Map<string, unknown>>();

  has(way: Way, text: string): boolean {
    return this.#known.get(way)?.has(text) === true;
  }

  /** The parsed `text`, produced by `read` on first use. */
  of<T>(way: Way, text: string, read: () => T): T {
    const known = this.#known.get(way) ?? new Map<string, unknown>();
    this.#known.set(way, known);
    if (!known.has(text)) {
      known.set(text, read());
    }
    return known.get(text) as T;
  }
}
