import { canonicalAddress } from '../../address/canonicalAddress';

/** The name of an account by its raw address, if it has one. */
export type AccountNaming = (raw: string) => string | undefined;

/** A value of a payload as it is; if it is the address of a named account, with the name: `UQ…  alice`. */
export function withAccountName(value: string, nameOf: AccountNaming | undefined): string {
  const raw = nameOf === undefined ? undefined : canonicalAddress(value);
  const name = raw === undefined ? undefined : nameOf?.(raw);
  return name === undefined ? value : `${value}  ${name}`;
}
