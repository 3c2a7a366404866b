import type { ContractDescription, DeployedCode } from '../../toolkit/contracts/abi/contractDescription';
import { methodNamed, ownMethodId } from '../../toolkit/contracts/abi/methodNamed';
import type { Priority } from '../../toolkit/access/limiter';
import type { Network } from '../../toolkit/access/network';
import type { DeployedCodeCache } from '../../toolkit/getMethods/deployedCodeCache';
import type { Connections } from '../networks/localNetwork';
import { learnSourceName, perWindow } from '../networks/sourceNames';
import type { ProjectContracts } from './projectContracts';

/** Where descriptions of deployed contracts come from. */
export interface ProjectServices {
  connections: Connections;
  /** The contracts in the workspace's files. */
  project: ProjectContracts;
}

/** The codes of deployed contracts. The code that reads cells is loaded with the first one. */
const deployedCodes = perWindow(async (_: ProjectServices): Promise<DeployedCodeCache> => {
  const { DeployedCodeCache: Cache } = await import('../../toolkit/getMethods/deployedCodeCache');
  return new Cache();
});

/**
 * The get-methods of a deployed contract with their signatures and the origin of those: the workspace's
 * files, by the hash of its code (or as chosen by the user), well-known interfaces, or the method ids in its
 * code.
 *
 * @param address any usual form
 * @param priority of the request for the code, if it is not cached
 * @throws WorkbenchError the network's errors
 */
export async function methodsOf(
  services: ProjectServices,
  network: Network,
  address: string,
  signal?: AbortSignal,
  priority: Priority = 'user',
): Promise<ContractDescription> {
  const access = await services.connections.to(network);
  const [deployed, { parseAddressInput }, { walletCodes }] = await Promise.all([
    deployedCodes(services).then((cache) => cache.read(access, address, priority)),
    import('../../toolkit/address/parseAddressInput'),
    import('../../toolkit/contracts/opcodes/walletCodes'),
  ]);
  const raw = parseAddressInput(address).toRawString();
  await services.project.findSource(deployed);
  const description = await describeDeployed(services.project, deployed);
  signal?.throwIfAborted();
  // The kind of a wallet is not a name for the account.
  const isWallet = walletCodes.has(description.codeHash ?? '');
  learnSourceName(services, network.name, raw, isWallet ? undefined : description.name);
  if (
    network.kind !== 'local' &&
    description.codeHash !== undefined &&
    description.name !== undefined &&
    !isWallet
  ) {
    const { codeHash } = description;
    services.project.noteRead({ network: network.name, address: raw, codeHash, at: Date.now() });
  }
  return description;
}

/**
 * Called when a contract's code may have changed: it is read again when needed.
 * @param address raw
 */
export async function forgetCode(
  services: ProjectServices,
  network: Network,
  address: string,
): Promise<void> {
  (await deployedCodes(services)).forget(network, address);
}

/** What the workspace knows about a code, with the contract that the user has chosen for it. */
export async function describeDeployed(
  project: ProjectContracts,
  deployed: DeployedCode,
): Promise<ContractDescription> {
  const [{ describeContract }, contracts] = await Promise.all([
    import('../../toolkit/contracts/abi/contractDescription'),
    project.list(),
  ]);
  const { codeHash } = deployed;
  return describeContract(deployed, contracts, codeHash === undefined ? undefined : project.chosen(codeHash));
}

/** Looks up the id that the project's source of a code gives a method, if it is not the one of its name. */
export function ownMethodIdIn(
  project: ProjectContracts,
  method: string,
): (codeHash: string) => Promise<number | undefined> {
  return async (codeHash) =>
    ownMethodId(methodNamed(await describeDeployed(project, { codeHash }), method)?.signature);
}
