import type { Network } from '../../toolkit/access/network';
import { plainName } from '../../toolkit/contracts/abi/projectContract';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import { localControlOf } from '../../toolkit/localnet/controlOf';
import { localAccounts } from './accountName';
import { sourceNamesOn } from '../networks/sourceNames';
import { methodsOf } from './methodsOf';
import type { Services } from './services';

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
 * The addresses at which workspace contracts may be found: those deployed to the local network, by the user or by other
 * contracts, the pinned ones, and those that were seen and recognized on any network.
 */
export async function possibleInstances(services: Services, network: Network): Promise<string[]> {
  const own = network.kind === 'local' ? localAccounts(services).filter(({ isWallet }) => !isWallet) : [];
  const all = [...own, ...services.pins.of(network.name)].map(({ address }) => address);
  const seen = sourceNamesOn(services, network.name).keys();
  return [...new Set([...all, ...(await deployedOn(services, network)), ...seen])];
}

/** The newest contracts of the running local network, however they were deployed. */
async function deployedOn({ localNetwork, log }: Services, network: Network): Promise<string[]> {
  const control = localControlOf(network);
  if (control === undefined || localNetwork.state().kind !== 'running') {
    return [];
  }
  try {
    const { callControl } = await import('../../toolkit/localnet/callControl');
    const found = await callControl(control, 'contracts', {});
    return found.map(({ address }) => address).reverse();
  } catch (error) {
    log.debug(`contracts of the local network: ${String(error)}`);
    return [];
  }
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
  const possible = await possibleInstances(services, network);
  const known = [...new Set([...possible, ...others])].slice(0, mostLookedAt);
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
