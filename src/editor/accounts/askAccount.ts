import type { AccountServices } from './accountServices';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import { accountReader } from './accountReader';
import { accountSuggestions } from './accountSuggestions';
import { accountsByName, knownAccounts } from './knownAccounts';
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
  const known = knownAccounts(services, network);
  const accounts = accountsByName(services, network);
  const answer = await pickOrType({
    title: `${texts.title} on ${network.name}`,
    placeholder: texts.placeholder,
    suggestions: accountSuggestions(known),
    read: accountReader(accounts, (raw) => known.find(({ address }) => address === raw)?.name),
  });
  return typeof answer === 'string' ? resolveAccount(answer, accounts) : undefined;
}
