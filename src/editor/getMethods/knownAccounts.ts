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

/** Resolves a name, with or without a leading `@`, to an address. */
export function accountLookup(services: Services): (name: string) => string | undefined {
  const accounts = knownAccounts(services);
  return (name) => accounts.find((account) => account.name === name.replace(/^@/, ''))?.address;
}

/** The name of an address, if it has one. */
export function accountName(services: Services): (address: string) => string | undefined {
  const accounts = knownAccounts(services);
  return (address) => accounts.find((account) => account.address === address.toLowerCase())?.name;
}
