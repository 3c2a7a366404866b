import type { Network } from '../../toolkit/access/network';
import type { Services } from '../services';
import { back } from '../ui/back';
import { pickOrType } from '../ui/pickOrType';
import type { Suggestion } from '../ui/pickOrType';
import { accountReader } from '../accounts/accountReader';
import { accountSuggestions } from '../accounts/accountSuggestions';
import { accountName, accountsByName, knownAccounts } from '../accounts/knownAccounts';
import type { RecentCalls } from './recentCalls';
import { withGroups } from './withGroups';
import { shortAddress } from '../../toolkit/address/shortAddress';

/** Asks for a contract: a recently called one, a known account by name, or an address in any form. */
export async function askContract(
  services: Services,
  recent: RecentCalls,
  network: Network,
  value: string | undefined,
): Promise<string | undefined> {
  const names = accountName(services);
  const called = recent.addresses(network.name);
  const suggestions: Suggestion[] = [
    ...called.map((address) => {
      const name = names(address);
      const short = shortAddress(address);
      return {
        ...{ value: address, label: name ?? short, icon: 'history' },
        ...(name === undefined ? {} : { description: short }),
      };
    }),
    ...accountSuggestions(knownAccounts(services)),
  ];
  const answer = await pickOrType({
    title: `TON: Run Get-Method on ${network.name}`,
    placeholder: 'Contract address in any form, or an account name',
    step: 1,
    totalSteps: 3,
    ...(value === undefined ? {} : { value }),
    suggestions: withGroups(suggestions, called.length, 'recent', 'accounts'),
    read: accountReader(accountsByName(services), names),
  });
  return answer === back ? undefined : answer;
}
