import { Address } from '@ton/core';
import { rawAddress } from '../../cell/light/readMessage';

const rawForm = /^(-?\d{1,3}):([0-9a-fA-F]{64})$/;
const friendlyForm = /^[A-Za-z0-9+/_-]{48}$/;

/** Any usual form of an address as `wc:HEX` (upper case); null when the text is not an address. */
export function parseAddress(text: string): string | null {
  const raw = rawForm.exec(text);
  if (raw !== null) {
    const workchain = Number(raw[1]);
    return workchain < -128 || workchain > 127 ? null : `${workchain}:${(raw[2] as string).toUpperCase()}`;
  }
  if (!friendlyForm.test(text)) {
    return null;
  }
  try {
    const { address } = Address.parseFriendly(text);
    return rawAddress(address.workChain, address.hash);
  } catch {
    return null;
  }
}

/** The user-friendly form (base64url). */
export function friendlyAddress(raw: string, bounceable: boolean): string {
  return Address.parseRaw(raw).toString({ bounceable });
}
