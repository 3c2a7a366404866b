import { shortAddress } from '../../toolkit/address/shortAddress';
import type { KnownAccount } from './knownAccounts';
import type { Suggestion } from '../ui/pickOrType';

/** Known accounts as suggestions, with name and shortened address. The value is the name. */
export function accountSuggestions(accounts: readonly KnownAccount[]): Suggestion[] {
  return accounts.map(({ name, kind, address }) => ({
    value: name,
    label: name,
    description: `${kind}  ${shortAddress(address)}`,
    icon: 'account',
  }));
}
