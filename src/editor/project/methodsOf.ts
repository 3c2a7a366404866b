import type { ContractDescription, DeployedCode } from '../../toolkit/abi/describeContract';
import type { Access } from '../../toolkit/access/createAccess';
import type { Priority } from '../../toolkit/access/limiter';
import type { Network } from '../../toolkit/access/network';
import type { Connections } from '../networks/connections';
import type { ProjectContracts } from './projectContracts';
import { networkKey } from '../../toolkit/access/network';

/** What deployed contracts are described from. */
export interface ProjectServices {
  connections: Connections;
  /** What the workspace's files say of its contracts. */
  project: ProjectContracts;
}

/** Code changes seldom, and never under a running prompt. */
const keptMs = 10_000;
interface KeptCode {
  until: number;
  code: Promise<DeployedCode>;
  /** Asked for by a watch, and not answered yet: a person does not wait for that. */
  isSlow: boolean;
}
/** By the connections of a window. */
const keptCodes = new WeakMap<Connections, Map<string, KeptCode>>();

/**
 * The get-methods of a deployed contract with their signatures and where those are known from: the workspace's files by
 * the hash of its code (or as the user has chosen), well-known interfaces, the ids in its code.
 *
 * @param address any usual form
 * @param priority of the request for the code, where it is not at hand
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
  const kept = keptCodes.get(services.connections) ?? new Map<string, KeptCode>();
  keptCodes.set(services.connections, kept);
  const [deployed, { describeContract }] = await Promise.all([
    codeOf(kept, access, address, priority),
    import('../../toolkit/abi/describeContract'),
  ]);
  await services.project.findSource(deployed);
  const project = await services.project.list();
  signal?.throwIfAborted();
  const chosen = deployed.codeHash === undefined ? undefined : services.project.chosen(deployed.codeHash);
  return describeContract(deployed, project, chosen);
}

/** Asked once in a while, however many ask; so nobody's signal can end it for the others. */
async function codeOf(
  kept: Map<string, KeptCode>,
  access: Access,
  address: string,
  priority: Priority,
): Promise<DeployedCode> {
  const { parseAddressInput } = await import('../../toolkit/address/parseAddressInput');
  const raw = parseAddressInput(address).toRawString();
  const key = `${networkKey(access.network)} ${raw}`;
  const now = Date.now();
  for (const [other, { until }] of kept) {
    if (until < now) {
      kept.delete(other);
    }
  }
  const known = kept.get(key);
  if (known !== undefined && (!known.isSlow || priority === 'background')) {
    return known.code;
  }
  const entry: KeptCode = {
    until: now + keptMs,
    code: readCode(access, raw, priority),
    isSlow: priority === 'background',
  };
  kept.set(key, entry);
  entry.code.then(
    () => (entry.isSlow = false),
    () => kept.get(key) === entry && kept.delete(key),
  );
  return entry.code;
}

/** What reads cells is loaded with the first contract. */
async function readCode(access: Access, address: string, priority: Priority): Promise<DeployedCode> {
  const { readDeployedCode } = await import('../../toolkit/getMethods/readDeployedCode');
  return readDeployedCode(access, address, { priority });
}
