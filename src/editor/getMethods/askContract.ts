import type { Network } from '../../toolkit/access/network';
import type { Services } from '../services';
import { back } from '../ui/back';
import { pickOrType } from '../ui/pickOrType';
import type { Suggestion } from '../ui/pickOrType';
import { shortAddress } from '../ui/shortAddress';
import { inputReason } from './inputReason';
import { accountName, accountsByName, knownAccounts } from '../accounts/knownAccounts';
import type { RecentCalls } from './recentCalls';
import { withGroups } from './withGroups';

/** Asks which contract: one that was called, a known account by name, or an address in any form. */
export async function askContract(
  services: Services,
  recent: RecentCalls,
  network: Network,
  value: string | undefined,
): Promise<string | undefined> {
  const { parseAddressInput } = await import('../../toolkit/address/parseAddressInput');
  const names = accountName(services);
  const accounts = accountsByName(services);
  const called = recent.addresses(network.name);
  const suggestions: Suggestion[] = [
    ...called.map((address) => ({
      value: address,
      label: names(address) ?? shortAddress(address),
      description: address,
      icon: 'history',
    })),
    ...knownAccounts(services).map((account) => ({
      value: account.name,
      label: account.name,
      description: account.kind,
      detail: account.address,
      icon: 'account',
    })),
  ];
  const answer = await pickOrType({
    title: `TON: Run Get-Method on ${network.name}`,
    placeholder: 'Address of the contract (any form), or the name of an account',
    step: 1,
    totalSteps: 3,
    ...(value === undefined ? {} : { value }),
    suggestions: withGroups(suggestions, called.length, 'recent', 'accounts'),
    read: (text) => {
      const named = accounts.get(text.replace(/^@/, ''));
      if (named !== undefined) {
        return { ok: true, label: text, description: named };
      }
      try {
        const raw = parseAddressInput(text).toRawString();
        return { ok: true, label: names(raw) ?? shortAddress(text), description: raw };
      } catch (error) {
        return { ok: false, reason: unknownName(text, [...accounts.keys()]) ?? inputReason(error) };
      }
    },
  });
  return answer === back ? undefined : answer;
}

/** What reads like a name is told from what reads like a damaged address. */
function unknownName(text: string, known: readonly string[]): string | undefined {
  if (!/^@?[a-z][\w-]{0,23}$/i.test(text)) {
    return undefined;
  }
  const names = known.length === 0 ? '' : ` Known here: ${known.slice(0, 10).join(', ')}.`;
  return `No account is called "${text.replace(/^@/, '')}".${names}`;
}
