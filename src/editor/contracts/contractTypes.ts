import type { ContractDescription, DeployedCode } from '../../toolkit/abi/describeContract';
import type { Access } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import type { Services } from '../services';

/** Code changes seldom, and never under a running prompt. */
const keptMs = 10_000;
const kept = new Map<string, { until: number; code: Promise<DeployedCode> }>();

/**
 * The get-methods of a deployed contract with their signatures and where those are known from: the workspace's files by
 * the hash of its code (or as the user has chosen), well-known interfaces, the ids in its code.
 *
 * @param address any usual form
 * @throws WorkbenchError of the network
 */
export async function methodsOf(
  services: Services,
  network: Network,
  address: string,
  signal?: AbortSignal,
): Promise<ContractDescription> {
  const access = await services.connections.to(network);
  const [deployed, project, { describeContract }] = await Promise.all([
    codeOf(access, address),
    services.project.list(),
    import('../../toolkit/abi/describeContract'),
  ]);
  signal?.throwIfAborted();
  const chosen = deployed.codeHash === undefined ? undefined : services.project.chosen(deployed.codeHash);
  return describeContract(deployed, project, chosen);
}

/** Asked once in a while, however many ask; so nobody's signal can end it for the others. */
async function codeOf(access: Access, address: string): Promise<DeployedCode> {
  const { parseAddressInput } = await import('../../toolkit/access/address');
  const raw = parseAddressInput(address).toRawString();
  const key = `${access.network.name} ${access.network.v2 ?? ''} ${access.network.v3 ?? ''} ${raw}`;
  const now = Date.now();
  for (const [other, { until }] of kept) {
    if (until < now) {
      kept.delete(other);
    }
  }
  const code = kept.get(key)?.code ?? readCode(access, raw);
  kept.set(key, { until: kept.get(key)?.until ?? now + keptMs, code });
  // What is not there may be in the next block.
  code.then(
    ({ codeHash }) => codeHash ?? kept.delete(key),
    () => kept.delete(key),
  );
  return code;
}

/** What reads cells is loaded with the first contract. */
async function readCode(access: Access, address: string): Promise<DeployedCode> {
  const { readDeployedCode } = await import('../../toolkit/getMethods/readDeployedCode');
  return readDeployedCode(access, address, { priority: 'user' });
}
