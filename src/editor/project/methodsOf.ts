import type { ContractDescription } from '../../toolkit/abi/describeContract';
import type { Priority } from '../../toolkit/access/limiter';
import type { Network } from '../../toolkit/access/network';
import type { DeployedCodeCache } from '../../toolkit/getMethods/deployedCodeCache';
import type { Connections } from '../networks/connections';
import { learnSourceName } from '../networks/sourceNames';
import type { ProjectContracts } from './projectContracts';

/** What deployed contracts are described from. */
export interface ProjectServices {
  connections: Connections;
  /** What the workspace's files say of its contracts. */
  project: ProjectContracts;
}

/** By the connections of a window. */
const codes = new WeakMap<Connections, Promise<DeployedCodeCache>>();

/**
 * The get-methods of a deployed contract with their signatures and where those are known from: the workspace's files by
 * the hash of its code (or as the user has chosen), well-known interfaces, the ids in its code.
 *
 * @param address any usual form
 * @param priority of the request for the code, if it is not cached
 * @throws WorkbenchError of the network
 */
export async function methodsOf(
  services: ProjectServices,
  network: Network,
  address: string,
  signal?: AbortSignal,
  priority: Priority = 'user',
): Promise<ContractDescription> {
  const access = await services.connections.to(network);
  const cache = codes.get(services.connections) ?? openCache();
  codes.set(services.connections, cache);
  const [deployed, { describeContract }, { parseAddressInput }, { walletCodes }] = await Promise.all([
    cache.then((opened) => opened.read(access, address, priority)),
    import('../../toolkit/abi/describeContract'),
    import('../../toolkit/address/parseAddressInput'),
    import('../../toolkit/opcodes/walletCodes'),
  ]);
  const raw = parseAddressInput(address).toRawString();
  await services.project.findSource(deployed);
  const project = await services.project.list();
  signal?.throwIfAborted();
  const chosen = deployed.codeHash === undefined ? undefined : services.project.chosen(deployed.codeHash);
  const description = describeContract(deployed, project, chosen);
  // What kind of wallet an account is does not name it.
  const isWallet = walletCodes.has(description.codeHash ?? '');
  learnSourceName(services.connections, network.name, raw, isWallet ? undefined : description.name);
  return description;
}

/** What reads cells is loaded with the first contract. */
async function openCache(): Promise<DeployedCodeCache> {
  const { DeployedCodeCache: Cache } = await import('../../toolkit/getMethods/deployedCodeCache');
  return new Cache();
}
