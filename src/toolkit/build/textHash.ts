import { createHash } from 'node:crypto';
import { limits } from '../limits';
import { sourceLanguage } from '../abi/sourceReadings';
import { tokenize } from '../abi/sourceTokens';

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
