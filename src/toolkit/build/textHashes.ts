import { textHash } from './textHash';

/**
 * The hashes of a project's texts by file, each made when it is first asked for: that reads every token of the text,
 * and most texts are never compared.
 */
export class TextHashes {
  readonly #hashes = new Map<string, string>();

  constructor(private readonly texts: ReadonlyMap<string, string> = new Map()) {}

  has(file: string): boolean {
    return this.texts.has(file);
  }

  /** undefined for a file that the project does not have. */
  get(file: string): string | undefined {
    const text = this.texts.get(file);
    if (text === undefined) {
      return undefined;
    }
    const hash = this.#hashes.get(file) ?? textHash(text, file);
    this.#hashes.set(file, hash);
    return hash;
  }
}
