/**
 * A 256-bit hash in hex (with or without 0x), base64 or base64url as 64 lowercase hex digits; undefined for other
 * text.
 */
export function canonicalHash(text: string): string | undefined {
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hex !== undefined) {
    return hex.toLowerCase();
  }
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) {
    return undefined;
  }
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : undefined;
}
