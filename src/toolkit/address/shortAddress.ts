import { shortenMiddle } from '../text';
import { readAddressForm, toFriendlyAddress } from './addressForm';

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
