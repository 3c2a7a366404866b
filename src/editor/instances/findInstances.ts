import type { Network } from '../../toolkit/access/network';
import { plainName } from '../../toolkit/abi/projectContract';
import { sourceLanguage } from '../../toolkit/abi/sourceReadings';
import { localAccounts } from '../accounts/knownAccounts';
import { methodsOf } from '../project/methodsOf';
import type { Services } from '../services';

/** Maximum number of contracts checked when looking for instances. */
const mostLookedAt = 40;

/** A deployed contract that may be an instance of a workspace contract. */
export interface Instance {
  /** Raw, lower-case hex. */
  address: string;
  /** The workspace contract with its code, or what else it is; undefined if neither is known. */
  name: string | undefined;
  /** Hash of its code, lowercase hex; undefined if it has none, or it could not be read. */
  codeHash?: string | undefined;
  /** The file of the workspace contract. */
  file?: string | undefined;
}

/**
 * The addresses at which workspace contracts may be found: those deployed to the local network, and pinned
 * ones.
 */
export function possibleInstances(services: Services, network: Pick<Network, 'name' | 'kind'>): string[] {
  const own = network.kind === 'local' ? localAccounts(services).filter(({ isWallet }) => !isWallet) : [];
  const all = [...own, ...services.pins.of(network.name)].map(({ address }) => address);
  return [...new Set(all)];
}

/**
 * Identifies the contracts at {@link possibleInstances} and at `others` by their code.
 * @param others raw addresses
 */
export async function findInstances(
  services: Services,
  network: Network,
  others: readonly string[] = [],
): Promise<Instance[]> {
  const known = [...new Set([...possibleInstances(services, network), ...others])].slice(0, mostLookedAt);
  return Promise.all(
    known.map(async (address): Promise<Instance> => {
      try {
        const { name, codeHash, file } = await methodsOf(services, network, address);
        return { address, name, codeHash, file };
      } catch {
        return { address, name: undefined };
      }
    }),
  );
}

/**
 * Whether it has the code of this workspace contract.
 * @param source of the contract in the workspace; others may have its name
 */
export function isInstanceOf({ name, file }: Instance, contract: string, source?: string): boolean {
  const isOther =
    source !== undefined && file !== undefined && sourceLanguage(file) !== undefined && file !== source;
  return name !== undefined && plainName(name) === plainName(contract) && !isOther;
}
