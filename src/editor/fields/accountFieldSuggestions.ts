import type { Network } from '../../toolkit/access/network';
import type { AccountServices } from '../accounts/accountServices';
import { accountSuggestions } from '../accounts/accountSuggestions';
import { knownAccounts } from '../accounts/knownAccounts';
import type { Suggestion } from '../ui/pickOrType';

/** The accounts of a network as values of an address: the wallets first, as addresses mostly say who may do something. */
export function accountFieldSuggestions(services: AccountServices, network?: Network): Suggestion[] {
  const known = knownAccounts(services, network);
  return accountSuggestions([
    ...known.filter(({ isWallet }) => isWallet),
    ...known.filter(({ isWallet }) => !isWallet),
  ]);
}
