import type { KnownAccount } from './knownAccounts';
import type { Suggestion } from '../ui/pickOrType';

/** Known accounts as a list offers them: by name, with the whole address below. The name is the value. */
export function accountSuggestions(accounts: readonly KnownAccount[]): Suggestion[] {
  return accounts.map(({ name, kind, address }) => ({
    value: name,
    label: name,
    description: kind,
    detail: address,
    icon: 'account',
  }));
}
