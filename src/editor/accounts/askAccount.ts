import type { AccountServices } from './accountServices';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import { inputReason } from '../ui/inputReason';
import { accountsByName, knownAccounts } from './knownAccounts';
import { pickOrType } from '../ui/pickOrType';
import { shortenMiddle } from '../../toolkit/text';

/**
 * Asks for one account of the current network, or with `local` of the local one whichever is current: a known one by
 * name, or an address in any form. The local network is started first, because its accounts are offered.
 * @returns the raw address, or undefined when the user left
 */
export async function askAccount(
  services: AccountServices,
  texts: { title: string; placeholder: string; local?: boolean },
): Promise<string | undefined> {
  const network = texts.local === true ? services.networks.local() : services.networks.current();
  await services.connections.open(network);
  const known = knownAccounts(services, network);
  const accounts = accountsByName(services, network);
  const names = (raw: string): string | undefined => known.find(({ address }) => address === raw)?.name;
  const answer = await pickOrType({
    title: `${texts.title} on ${network.name}`,
    placeholder: texts.placeholder,
    suggestions: known.map((account) => ({
      value: account.name,
      label: account.name,
      description: account.kind,
      detail: account.address,
      icon: 'account',
    })),
    read: (text) => {
      try {
        const raw = resolveAccount(text, accounts);
        return { ok: true, label: names(raw) ?? shortenMiddle(text), description: raw };
      } catch (error) {
        return { ok: false, reason: inputReason(error) };
      }
    },
  });
  return typeof answer === 'string' ? resolveAccount(answer, accounts) : undefined;
}
