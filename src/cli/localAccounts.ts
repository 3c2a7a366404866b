import type { Network } from '../toolkit/access/network';

/** The named accounts of a network: on the local one its wallets, name to raw address; none elsewhere. */
export async function localAccounts({ kind }: Network): Promise<ReadonlyMap<string, string>> {
  if (kind !== 'local') {
    return new Map();
  }
  const { namedAccounts } = await import('../toolkit/localnet/accounts/namedAccounts');
  return new Map(namedAccounts.map(({ name, address }) => [name, address]));
}
