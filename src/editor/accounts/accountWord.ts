import type { Network } from '../../toolkit/access/network';
import { shortAddress } from '../../toolkit/address/shortAddress';
import type { AccountServices } from './accountServices';
import { accountName } from './knownAccounts';

/** The label of an account wherever it is shown: its name, else its shortened address. */
export function accountWord(
  services: AccountServices,
  network?: Pick<Network, 'name' | 'kind'>,
): (address: string) => string {
  const name = accountName(services, network);
  return (address) => name(address) ?? shortAddress(address);
}
