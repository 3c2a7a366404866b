import type { Services } from '../services';
import { WorkbenchError } from '../../toolkit/errors';
import { accountName, accountsByName, knownAccounts } from '../getMethods/knownAccounts';
import { pickOrType } from './pickOrType';
import { shortAddress } from './shortAddress';

/**
 * Asks for one account of the current network: a known one by name, or an address in any form. The local network is
 * started first when it is the current one, because its accounts are offered.
 * @returns the raw address, or undefined when the user left
 */
export async function askAccount(
  services: Services,
  texts: { title: string; placeholder: string },
): Promise<string | undefined> {
  await services.connections.current();
  const { parseAddressInput } = await import('../../toolkit/access/address');
  const accounts = accountsByName(services);
  const names = accountName(services);
  const resolve = (text: string): string =>
    accounts.get(text.replace(/^@/, '')) ?? parseAddressInput(text).toRawString();
  const answer = await pickOrType({
    title: `${texts.title} on ${services.networks.current().name}`,
    placeholder: texts.placeholder,
    suggestions: knownAccounts(services).map((account) => ({
      value: account.name,
      label: account.name,
      description: account.kind,
      detail: account.address,
      icon: 'account',
    })),
    read: (text) => {
      try {
        const raw = resolve(text);
        return { ok: true, label: names(raw) ?? shortAddress(text), description: raw };
      } catch (error) {
        return { ok: false, reason: WorkbenchError.is(error) ? error.message : String(error) };
      }
    },
  });
  return typeof answer === 'string' ? resolve(answer) : undefined;
}
