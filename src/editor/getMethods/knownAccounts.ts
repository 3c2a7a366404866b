import type { Services } from '../services';

/** An account that has a name for the user. */
export interface KnownAccount {
  name: string;
  /** Raw, `wc:hex`. */
  address: string;
  /** What it is, in a word or two. */
  kind: string;
}

/** The accounts that have names on the current network: on the local one its funded wallets. */
export function knownAccounts({ networks, localNetwork }: Services): KnownAccount[] {
  const state = localNetwork.state();
  if (networks.current().kind !== 'local' || state.kind !== 'running') {
    return [];
  }
  return state.accounts.map((account) => ({
    name: account.name,
    address: account.address,
    kind: `wallet ${account.kind}`,
  }));
}

/** Addresses by name, for stack text (`@name`) and address boxes. */
export function accountsByName(services: Services): ReadonlyMap<string, string> {
  return new Map(knownAccounts(services).map((account) => [account.name, account.address]));
}

/** The name of an address, if it has one. */
export function accountName(services: Services): (address: string) => string | undefined {
  const accounts = knownAccounts(services);
  return (address) => accounts.find((account) => account.address === address.toLowerCase())?.name;
}
