import { Address } from '@ton/core';
import { readAddressForm, toRawAddress } from '../../address/addressForm';

const rawForm = /^(-?\d{1,3}):[0-9a-fA-F]{64}$/;
const friendlyForm = /^[A-Za-z0-9+/_-]{48}$/;

/** Any usual form of an address as raw lowercase; null if the text is not an address. */
export function parseAddress(text: string): string | null {
  const workchain = rawForm.exec(text)?.[1];
  const isWanted = workchain === undefined ? friendlyForm.test(text) : isInt8(Number(workchain));
  try {
    return isWanted ? toRawAddress(readAddressForm(text)) : null;
  } catch {
    return null;
  }
}

function isInt8(value: number): boolean {
  return value >= -128 && value <= 127;
}

/** The user-friendly form (base64url). */
export function friendlyAddress(raw: string, bounceable: boolean): string {
  return Address.parseRaw(raw).toString({ bounceable });
}
