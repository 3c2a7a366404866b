import { shortAddress } from './shortAddress';
import type { AccountsByName } from './resolveAccount';

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
