import { resolveAccount } from '../address/resolveAccount';
import type { AccountsByName } from '../address/resolveAccount';

/** The raw address that a line to compose goes to; undefined if its first word is none, as in `new`. */
export function composeDestination(line: string, accounts: AccountsByName): string | undefined {
  const [word = ''] = line
    .trim()
    .replace(/^send\s+/, '')
    .split(/\s/, 1);
  try {
    return word === 'new' ? undefined : resolveAccount(word, accounts);
  } catch {
    return undefined;
  }
}
