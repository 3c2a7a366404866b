import type { Network } from '../../toolkit/access/network';
import { namesByAddress } from '../../toolkit/accounts/findAccount';
import { lowerHex } from '../../toolkit/address/lowerHex';
import type { AccountsByName } from '../../toolkit/address/resolveAccount';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { accountNames } from '../../toolkit/accounts/localAccount';
import { domainOf, resolvedDomains } from '../networks/domainNames';
import type { NetworkServices } from '../networks/diagnoseNetworkCommand';
import { sourceNamesOn } from '../networks/sourceNames';
import type { Suggestion } from '../ui/askText';
import type { PinnedContracts } from './pinnedContracts';
import { recordedOn } from './recordedDeployments';

/** An account with a name that the user knows. */
export interface KnownAccount {
  name: string;
  /** Raw, `wc:hex`. */
  address: string;
  /** What it is, in a word or two, for display. */
  kind: string;
  isWallet: boolean;
}

/** A network's named accounts: contracts named by the user and by the record of deployments; the local network has its own. */
export function knownAccounts(
  services: AccountServices,
  { name, kind }: Pick<Network, 'name' | 'kind'> = services.networks.current(),
): KnownAccount[] {
  if (kind === 'local') {
    return localAccounts(services);
  }
  const own = pinned(services, name);
  const others = [...recordedOn(services, name)].filter(
    ([recorded, address]) => !own.some((one) => one.name === recorded || one.address === address),
  );
  return [...own, ...others.map(([recorded, address]) => contractNamed(recorded, address))];
}

function contractNamed(name: string, address: string): KnownAccount {
  return { name, address, kind: 'contract', isWallet: false };
}

/** The named accounts of the local network: pinned and deployed contracts, and its funded wallets. */
export function localAccounts(
  services: Pick<AccountServices, 'localNetwork' | 'networks' | 'pins'>,
): KnownAccount[] {
  const named = pinned(services, services.networks.local().name);
  const state = services.localNetwork.state();
  if (state.kind !== 'running') {
    return named;
  }
  const own = [
    ...state.contracts.map(({ name, address }) => contractNamed(name, address)),
    ...state.accounts.map(({ name, address, kind }) => ({
      name,
      address,
      kind: `wallet ${kind}`,
      isWallet: true,
    })),
  ];
  return [
    ...named,
    ...own.filter((one) => !named.some(({ name, address }) => name === one.name || address === one.address)),
  ];
}

function pinned({ pins }: Pick<AccountServices, 'pins'>, network: string): KnownAccount[] {
  return pins
    .of(network)
    .flatMap(({ name, address }) => (name === undefined ? [] : [contractNamed(name, address)]));
}

/**
 * Addresses by name on a network, for `resolveAccount` and stack text (`@name`): the inverse of {@link
 * accountName}, as far as names are unique. Of domains, those that were just looked up: see `domainLookUp`.
 */
export function accountsByName(
  services: AccountServices,
  network: Pick<Network, 'name' | 'kind'> = services.networks.current(),
): AccountsByName {
  const known = namesOfNetwork(services, network);
  const named = new Set(known.values());
  const sources = [...sourceNamesOn(services, network.name)].filter(
    ([address, name]) => !named.has(address) && !known.has(name),
  );
  const uses = new Map<string, number>();
  sources.forEach(([, name]) => uses.set(name, (uses.get(name) ?? 0) + 1));
  return new Map([
    ...resolvedDomains(services, network.name),
    ...known,
    ...sources.flatMap(([address, name]): [string, string][] =>
      uses.get(name) === 1 ? [[name, address]] : [],
    ),
  ]);
}

/** The names that the user and the network itself give, with raw addresses. */
function namesOfNetwork(
  services: AccountServices,
  network: Pick<Network, 'name' | 'kind'>,
): Map<string, string> {
  const state = services.localNetwork.state();
  return new Map([
    // Further versions of the wallets are not listed, but have names.
    ...(network.kind === 'local' && state.kind === 'running' ? accountNames(state.accounts) : []),
    ...knownAccounts(services, network).map((account): [string, string] => [account.name, account.address]),
  ]);
}

/** The names of a network's accounts with raw addresses, in ascending priority: resolved domains, sources, own names. */
export function namedAddresses(
  services: AccountServices,
  network: Pick<Network, 'name' | 'kind'> = services.networks.current(),
): [name: string, address: string][] {
  return [
    ...resolvedDomains(services, network.name),
    ...[...sourceNamesOn(services, network.name)].map(([address, name]): [string, string] => [name, address]),
    ...namesOfNetwork(services, network),
  ];
}

/**
 * The name of an address on a network, if it has one: the user's own, else the network's, else that of the
 * source of its code, else its domain.
 */
export function accountName(
  services: AccountServices,
  network: Pick<Network, 'name' | 'kind'> = services.networks.current(),
): (address: string) => string | undefined {
  const names = namesByAddress(namedAddresses(services, network));
  return (given) => {
    const address = lowerHex(given);
    return names.get(address) ?? domainOf(services, network.name, address);
  };
}

/**
 * The name under which a text is read as an address again: one that several contracts have from their source, such as
 * two wallets of a jetton, is none.
 */
export function accountToType(
  services: AccountServices,
  network: Pick<Network, 'name' | 'kind'> = services.networks.current(),
): (address: string) => string | undefined {
  const [name, addresses] = [accountName(services, network), accountsByName(services, network)];
  return (address) => {
    const found = name(address);
    return found !== undefined && addresses.get(found) === lowerHex(address) ? found : undefined;
  };
}

/** As {@link accountName}, for the network that something is of, by its name; none if it is not in the list. */
export function accountNameOn(
  services: AccountServices,
  network: string,
): (address: string) => string | undefined {
  const found = services.networks.find(network);
  return found === undefined ? () => undefined : accountName(services, found);
}

/** Sources of account names. */
export interface AccountServices extends NetworkServices {
  /** The contracts of the view "Contracts". */
  pins: PinnedContracts;
}

/** Known accounts as suggestions, with name and shortened address. The value is the name. */
export function accountSuggestions(accounts: readonly KnownAccount[]): Suggestion[] {
  return accounts.map(({ name, kind, address }) => ({
    value: name,
    label: name,
    description: `${kind}  ${shortAddress(address)}`,
    icon: 'account',
  }));
}

/** The label of an account wherever it is shown: its name, else its shortened address. */
export function accountWord(
  services: AccountServices,
  network?: Pick<Network, 'name' | 'kind'>,
): (address: string) => string {
  const name = accountName(services, network);
  return (address) => name(address) ?? shortAddress(address);
}
