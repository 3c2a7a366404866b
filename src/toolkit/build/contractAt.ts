import { Cell, contractAddress } from '@ton/core';

/**
 * The address that code and data give in the basechain, raw with lower-case hex.
 * @param code BoC, base64
 */
export function contractAt(code: string, data: Cell): string {
  return contractAddress(0, { code: Cell.fromBase64(code), data }).toRawString();
}
