import { addressNamed } from './addressNamed';
import type { AccountsByName } from './resolveAccount';
import { bareName } from './resolveAccount';
import { wholeAddress } from './shortAddress';

/** The address of a named account, in the form that the payment service writes; any other text stays as it is. */
export function addressOfName(text: string, accounts: AccountsByName): string {
  const address = addressNamed(bareName(text), accounts);
  return address === undefined ? text : wholeAddress(address);
}
