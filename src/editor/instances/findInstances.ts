import type { Network } from '../../toolkit/access/network';
import { plainName } from '../../toolkit/abi/projectContract';
import { localAccounts } from '../accounts/knownAccounts';
import { methodsOf } from '../project/methodsOf';
import type { Services } from '../services';

/** Contracts checked when looking for instances of one. */
const mostLookedAt = 40;

/** A contract on a network, where one of the workspace is looked for. */
export interface Instance {
  /** Raw, lower-case hex. */
  address: string;
  /** The contract of the workspace that has its code, or what it is else; undefined if neither is known. */
  name: string | undefined;
}

/** The addresses at which contracts of the workspace may be: deployed to the local network, or pinned. */
export function possibleInstances(services: Services, network: Pick<Network, 'name' | 'kind'>): string[] {
  const own = network.kind === 'local' ? localAccounts(services).filter(({ isWallet }) => !isWallet) : [];
  const all = [...own, ...services.pins.of(network.name)].map(({ address }) => address);
  return [...new Set(all)];
}

/**
 * What is at {@link possibleInstances} and at `others`, by its code.
 * @param others raw addresses
 */
export async function findInstances(
  services: Services,
  network: Network,
  others: readonly string[] = [],
): Promise<Instance[]> {
  const known = [...new Set([...possibleInstances(services, network), ...others])].slice(0, mostLookedAt);
  return Promise.all(
    known.map(async (address) => ({
      address,
      name: await methodsOf(services, network, address).then(
        (description) => description.name,
        () => undefined,
      ),
    })),
  );
}

/** Whether it has the code of this contract of the workspace. */
export function isInstanceOf({ name }: Instance, contract: string): boolean {
  return name !== undefined && plainName(name) === plainName(contract);
}
