import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { Network } from '../../toolkit/access/network';
import { isDomain } from '../../toolkit/address/isDomain';
import { linkedAccount, isLink } from '../../toolkit/address/readLink';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import type { Services } from '../services';
import { networkOfText, switchToLinked } from '../networks/networkOfText';
import { back } from '../ui/back';
import { pickOrType } from '../ui/pickOrType';
import type { Suggestion } from '../ui/pickOrType';
import { accountReader, linkReader } from '../accounts/accountReader';
import { accountSuggestions } from '../accounts/accountSuggestions';
import { accountName, accountsByName, knownAccounts } from '../accounts/knownAccounts';
import { domainLookUp } from '../accounts/lookUpDomains';
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
    read: linkReader(
      accountReader(
        () => accountsByName(services),
        (raw) => accountName(services)(raw),
      ),
    ),
    lookUp: domainLookUp(services, network),
  });
  if (answer === back || answer === undefined) {
    return undefined;
  }
  if (isLink(answer)) {
    return linkedContract(services, network, answer.trim());
  }
  // A domain can later name another account; the call is remembered for this one.
  return isDomain(answer) ? resolveAccount(answer, accountsByName(services)) : answer;
}

/** A link of another network begins again there, if the user agrees. */
async function linkedContract(
  services: Services,
  network: Network,
  link: string,
): Promise<string | undefined> {
  const address = linkedAccount(link);
  if ((await networkOfText(services, link))?.name === network.name) {
    return address;
  }
  if (await switchToLinked(services, link)) {
    void runCommand(vscode.commands, 'tonWorkbench.runGetMethod', { address });
  }
  return undefined;
}
