import type { Services } from '../services';

/** An account that has a name for the user. */
export interface KnownAccount {
  name: string;
  /** Raw, `wc:hex`. */
  address: string;
  /** What it is, in a word or two. */
  kind: string;
}

/** The accounts that have names on the current network: contracts the user has named, and on the local one its wallets. */
export function knownAccounts({ networks, localNetwork, pins }: Services): KnownAccount[] {
  const { name: current, kind } = networks.current();
  const named = pins
    .of(current)
    .flatMap(({ name, address }) => (name === undefined ? [] : [{ name, address, kind: 'contract' }]));
  const state = localNetwork.state();
  if (kind !== 'local' || state.kind !== 'running') {
    return named;
  }
  const wallets = state.accounts.map((account) => ({
    name: account.name,
    address: account.address,
    kind: `wallet ${account.kind}`,
  }));
  return [...named, ...wallets.filter(({ name }) => !named.some((own) => own.name === name))];
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
