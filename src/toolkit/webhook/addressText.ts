import { Address } from '@ton/core';

/** Raw form of an address in any usual spelling; undefined for anything else. */
export function canonicalAddress(text: string): string | undefined {
  try {
    return Address.parse(text).toRawString();
  } catch {
    return undefined;
  }
}

/** Whether two texts name one account. Texts that are no addresses are equal only when they are spelt alike. */
export function sameAddress(left: string, right: string): boolean {
  return left === right || (canonicalAddress(left) ?? left) === (canonicalAddress(right) ?? right);
}
