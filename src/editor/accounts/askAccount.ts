import type { AccountServices } from './accountServices';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import type { AccountsByName } from '../../toolkit/address/resolveAccount';
import { accountReader } from './accountReader';
import { accountSuggestions } from './accountSuggestions';
import { accountsByName, accountName, knownAccounts } from './knownAccounts';
import { domainLookUp } from './lookUpDomains';
import { pickOrType } from '../ui/pickOrType';

/**
 * Asks for one account of the current network, or of the local one with `local`: by name, or by address in any form.
 * The local network is started first, because its accounts are offered.
 * @returns the raw address, or undefined if the user canceled
 */
export async function askAccount(
  services: AccountServices,
  texts: { title: string; placeholder: string; local?: boolean },
): Promise<string | undefined> {
  const network = texts.local === true ? services.networks.local() : services.networks.current();
  await services.connections.open(network);
  const accounts = (): AccountsByName => accountsByName(services, network);
  const answer = await pickOrType({
    title: `${texts.title} on ${network.name}`,
    placeholder: texts.placeholder,
    suggestions: accountSuggestions(knownAccounts(services, network)),
    read: accountReader(accounts, (raw) => accountName(services, network)(raw)),
    lookUp: domainLookUp(services, network),
  });
  return typeof answer === 'string' ? resolveAccount(answer, accounts()) : undefined;
}
