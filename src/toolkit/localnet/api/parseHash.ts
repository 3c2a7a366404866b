const hexForm = /^(?:0x)?([0-9a-fA-F]{64})$/;
const base64Form = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * A hash of 32 bytes (64 hex digits, with `0x` or without, or base64 in either alphabet) as standard base64; null when
 * it is none.
 */
export function parseHash(text: string): string | null {
  const hex = hexForm.exec(text);
  if (hex !== null) {
    return Buffer.from(hex[1] as string, 'hex').toString('base64');
  }
  return base64Form.test(text) ? Buffer.from(text, 'base64').toString('base64') : null;
}
