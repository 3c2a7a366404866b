import type { Network } from '../../toolkit/access/network';
import type { AccountServices } from './accountName';
import { accountSuggestions, knownAccounts } from './accountName';
import type { Suggestion } from '../ui/askText';

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
