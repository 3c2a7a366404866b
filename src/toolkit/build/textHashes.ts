import { createHash } from 'node:crypto';
import { sourceLanguage } from '../contracts/abi/sourceLanguage';
import { tokenize } from '../contracts/abi/tokenize';
import { limits } from '../base/limits';

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

/**
 * SHA-256 of a source, lower-case hex, to detect changes since it was compiled. Comments and white space do not count:
 * they do not change the code.
 *
 * @param path its extension is that of its language; any other text, and one too long to be read, counts as a whole
 */
export function textHash(text: string, path: string): string {
  const language = sourceLanguage(path);
  const hash = createHash('sha256');
  if (language === undefined || text.length > limits.sourceText.most) {
    return hash.update(text).digest('hex');
  }
  for (const token of tokenize(text, language)) {
    hash.update(token.text).update('\n');
  }
  return hash.digest('hex');
}
