const hexForm = /^(?:0x)?([0-9a-fA-F]{64})$/;
const base64Form = /^[A-Za-z0-9+/_-]{43}=$/;
const unpaddedForm = /^[A-Za-z0-9_-]{43}$/;

/**
 * A hash of 32 bytes as standard base64; null when the text is not a hash. Both APIs take 64 hex digits, with `0x` or without, and 44
 * characters of base64 in either alphabet.
 * @param unpadded takes 43 characters of base64url too, as the non-indexed API does
 */
export function parseHash(text: string, unpadded = false): string | null {
  const hex = hexForm.exec(text);
  if (hex !== null) {
    return Buffer.from(hex[1] as string, 'hex').toString('base64');
  }
  const isHash = base64Form.test(text) || (unpadded && unpaddedForm.test(text));
  return isHash ? Buffer.from(text, 'base64').toString('base64') : null;
}
