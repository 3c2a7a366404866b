import { createHash } from 'node:crypto';

/** SHA-256 of a source, lower-case hex, to detect changes since it was compiled. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
