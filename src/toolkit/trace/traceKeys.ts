import { Address } from '@ton/core';

/**
 * A 256-bit hash as a map key: standard base64. Hex and URL-safe base64 are converted; anything else stays as it is, so
 * that damaged data still matches itself.
 */
export function hashKey(hash: string): string {
  if (hash.length === 64 && /^[0-9a-fA-F]{64}$/.test(hash)) {
    return Buffer.from(hash, 'hex').toString('base64');
  }
  if (hash.length === 43 || hash.includes('-') || hash.includes('_')) {
    const bytes = Buffer.from(hash, 'base64url');
    return bytes.length === 32 ? bytes.toString('base64') : hash;
  }
  return hash;
}

/** A hash as it is shown: 64 lower-case hex digits; text that is no hash comes back unchanged. */
export function hashHex(hash: string): string {
  if (/^[0-9a-fA-F]{64}$/.test(hash)) {
    return hash.toLowerCase();
  }
  const bytes = Buffer.from(hash, 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : hash;
}

/** An account as a map key: `workchain:hex` in lower case. Friendly forms are converted. */
export function accountKey(address: string): string {
  if (address.length === 48 && !address.includes(':')) {
    try {
      return Address.parse(address).toRawString();
    } catch {
      return address;
    }
  }
  return address.toLowerCase();
}

/** Compares two decimal logical times without converting them to numbers; non-strings sort first. */
export function compareLt(a: unknown, b: unknown): number {
  const left = typeof a === 'string' ? a : '';
  const right = typeof b === 'string' ? b : '';
  if (left.length !== right.length) {
    return left.length - right.length;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A decimal string of the service as a bigint; undefined for what is missing or is no number. */
export function amountOf(text: string | number | bigint | null | undefined): bigint | undefined {
  if (text === null || text === undefined) {
    return undefined;
  }
  if (typeof text === 'bigint') {
    return text;
  }
  if (typeof text === 'number') {
    return Number.isSafeInteger(text) ? BigInt(text) : undefined;
  }
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}
