import { shortAddress } from '../../toolkit/address/shortAddress';
import type { KnownAccount } from './knownAccounts';
import type { Suggestion } from '../ui/pickOrType';

/** Known accounts as suggestions: by name, with both ends of the address. The name is the value. */
export function accountSuggestions(accounts: readonly KnownAccount[]): Suggestion[] {
  return accounts.map(({ name, kind, address }) => ({
    value: name,
    label: name,
    description: `${kind}  ${shortAddress(address)}`,
    icon: 'account',
  }));
}
