import type { Parameter } from './endpoint/parameter';
import type { AccountsByName } from '../address/resolveAccount';
import { bareName } from '../address/resolveAccount';

/** Converts text to a parameter: a list if it may be repeated, the address if it is an account's name or domain. */
export function parameterValue(
  { kind, repeated }: Pick<Parameter, 'kind' | 'repeated'>,
  text: string,
  accounts: AccountsByName,
): string | string[] {
  const one = (part: string): string => (kind === 'address' ? (accounts.get(bareName(part)) ?? part) : part);
  return repeated
    ? text
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(one)
    : one(text.trim());
}
