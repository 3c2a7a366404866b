import { shortenMiddle } from '../text';
import type { AccountsByName } from './resolveAccount';

/**
 * Why an account cannot be called so: a name has to be usable as `@name` in stack text, and to belong to one account.
 * @param address of the account, raw
 * @param names those that are taken
 */
export function accountNameProblem(name: string, address: string, names: AccountsByName): string | undefined {
  if (!/^[A-Za-z][\w-]{0,23}$/.test(name)) {
    return 'Start with a letter; use letters, digits, _ and -, at most 24 characters.';
  }
  const owner = names.get(name);
  return owner === undefined || owner === address
    ? undefined
    : `${name} is already the name of ${shortenMiddle(owner)}.`;
}
