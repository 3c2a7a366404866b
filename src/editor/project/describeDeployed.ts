import { methodNamed, ownMethodId } from '../../toolkit/abi/methodNamed';
import type { ContractDescription, DeployedCode } from '../../toolkit/abi/describeContract';
import type { ProjectContracts } from './projectContracts';

/** What the workspace knows about a code, with the contract that the user has chosen for it. */
export async function describeDeployed(
  project: ProjectContracts,
  deployed: DeployedCode,
): Promise<ContractDescription> {
  const [{ describeContract }, contracts] = await Promise.all([
    import('../../toolkit/abi/describeContract'),
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
