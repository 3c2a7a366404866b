import { canonicalHash } from '../../address/canonicalHash';

/**
 * A hash of 32 bytes as 64 lower-case hex digits; null when the text is not a hash. Both APIs take 64 hex digits, with `0x`
 * or without, and 44 characters of base64 in either alphabet.
 * @param unpadded takes 43 characters of base64url too, as the non-indexed API does
 */
export function parseHash(text: string, unpadded = false): string | null {
  if (text.length === 43 && (!unpadded || /[+/]/.test(text))) {
    return null;
  }
  return canonicalHash(text) ?? null;
}
