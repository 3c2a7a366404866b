import type { Network } from '../../toolkit/access/readNetworkSettings';
import type { AccountServices } from '../accounts/knownAccounts';
import { accountSuggestions, knownAccounts } from '../accounts/knownAccounts';
import type { Suggestion } from '../ui/pickOrType';

/**
 * A network's accounts as suggestions for an address: wallets first, because an address mostly says who may
 * do something.
 */
export function accountFieldSuggestions(services: AccountServices, network?: Network): Suggestion[] {
  const known = knownAccounts(services, network);
  return accountSuggestions([
    ...known.filter(({ isWallet }) => isWallet),
    ...known.filter(({ isWallet }) => !isWallet),
  ]);
}
