import { shortenMiddle } from '../base/text';
import { readAddressForm, toFriendlyAddress } from './canonicalAddress';
import type { AccountsByName } from './resolveAccount';
import { addressNamed, bareName } from './resolveAccount';

/**
 * An account without a name, as shown in lists: its shortened user-friendly form. Other text is only
 * shortened.
 */
export function shortAddress(text: string): string {
  return shortenMiddle(wholeAddress(text));
}

/** The user-friendly form of an account, for a hover; other text is returned as it is. */
export function wholeAddress(text: string): string {
  try {
    const form = readAddressForm(text);
    return form.form === 'friendly' ? text : toFriendlyAddress(form, { bounceable: true, testOnly: false });
  } catch {
    return text;
  }
}

/** The address of a named account, in the form that the payment service writes; any other text stays as it is. */
export function addressOfName(text: string, accounts: AccountsByName): string {
  const address = addressNamed(bareName(text), accounts);
  return address === undefined ? text : wholeAddress(address);
}

/**
 * Why a name is not allowed: it must work as `@name` in stack text and be unique.
 * @param address of the account, raw
 * @param names names already in use
 */
export function accountNameProblem(name: string, address: string, names: AccountsByName): string | undefined {
  if (!/^[A-Za-z][\w-]{0,23}$/.test(name)) {
    return 'Start with a letter; use letters, digits, _ and -, at most 24 characters.';
  }
  const owner = names.get(name);
  return owner === undefined || owner === address
    ? undefined
    : `${name} is already the name of ${shortAddress(owner)}.`;
}
