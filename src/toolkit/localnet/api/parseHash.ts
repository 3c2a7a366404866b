import { canonicalHash } from '../../address/canonicalHash';

/**
 * A hash of 32 bytes as 64 lowercase hex digits; null if the text is not a hash. Both APIs accept 64 hex digits, with
 * or without `0x`, and 44 characters of base64 in either alphabet.
 * @param unpadded also accepts 43 characters of base64url, like the non-indexed API
 */
export function parseHash(text: string, unpadded = false): string | null {
  if (text.length === 43 && (!unpadded || /[+/]/.test(text))) {
    return null;
  }
  return canonicalHash(text) ?? null;
}
