import { readAddressForm, toFriendlyAddress } from './addressForm';

/**
 * The user-friendly form of a wallet's address: not bounceable, because the wallet may not be deployed yet.
 * @throws WorkbenchError `address-invalid` (input)
 */
export function friendlyWallet(address: string): string {
  return toFriendlyAddress(readAddressForm(address), { bounceable: false, testOnly: false });
}
