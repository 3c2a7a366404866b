import { Address } from '@ton/core';
import { readAddressForm } from './addressForm';

/**
 * The account an address text names, in any usual form: raw, bounceable, non-bounceable, for a test network, in base64 or
 * base64url. The flags of the user-friendly form are dropped; `readAddressForm` keeps them.
 * @throws WorkbenchError `address-invalid` (input) with details {reason, offset}
 */
export function parseAddressInput(text: string): Address {
  const { workchain, hash } = readAddressForm(text);
  return new Address(workchain, Buffer.from(hash, 'hex'));
}
