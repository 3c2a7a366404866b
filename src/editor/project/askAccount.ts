import type { Network } from '../../toolkit/access/network';
import { isLink, linkedAccount } from '../../toolkit/address/parseAddressInput';
import type { AccountsByName } from '../../toolkit/address/resolveAccount';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import { WorkbenchError } from '../../toolkit/base/errors';
import { networkOfText, switchToLinked } from '../networks/addNetwork';
import { pickOrType } from '../ui/askText';
import { accountReader, linkReader } from './accountReader';
import type { AccountServices } from './accountName';
import { accountName, accountSuggestions, accountsByName, knownAccounts } from './accountName';
import { domainLookUp } from './domainLookUp';

/**
 * Asks for one account of the current network, or of the local one with `local`: by name, by address in any form, or by
 * a link. A link of another network switches to that one first, if the user agrees.
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
    read: linkReader(accountReader(accounts, (raw) => accountName(services, network)(raw))),
    lookUp: domainLookUp(services, network),
  });
  if (typeof answer !== 'string' || !(await isOn(services, network, answer))) {
    return undefined;
  }
  return resolveAccount(linkedAccount(answer.trim()), accountsByName(services, network));
}

/** Whether an answer is of the network that was asked about, or of the one that is current now. */
async function isOn(services: AccountServices, asked: Network, answer: string): Promise<boolean> {
  if (!isLink(answer)) {
    return true;
  }
  if (asked.name === services.networks.current().name) {
    return switchToLinked(services, answer);
  }
  const network = await networkOfText(services, answer);
  if (network !== undefined && network.name !== asked.name) {
    throw new WorkbenchError({
      code: 'account-unknown',
      kind: 'input',
      message: `The link belongs to ${network.name}, but this account is on ${asked.name}.`,
    });
  }
  return network !== undefined;
}
