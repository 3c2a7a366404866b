import { canonicalAddress } from '../../address/canonicalAddress';
import { wholeAddress } from '../../address/shortAddress';

/** The name of an account by its raw address, if it has one. */
export type AccountNaming = (raw: string) => string | undefined;

/** A value of a payload; an address in its user-friendly form, with the account's name if it has one: `UQ…  alice`. */
export function withAccountName(value: string, nameOf: AccountNaming | undefined): string {
  const raw = canonicalAddress(value);
  const name = raw === undefined ? undefined : nameOf?.(raw);
  const shown = wholeAddress(value);
  return name === undefined ? shown : `${shown}  ${name}`;
}
