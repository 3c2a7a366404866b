import type { ContractDescription } from '../toolkit/contracts/abi/contractDescription';
import type { CodeAccess } from '../toolkit/getMethods/readDeployedCode';
import { projectAround, projectWith } from './projectWith';
import { surroundings } from './surroundings';

/**
 * What the project around the working folder knows about contracts of the local network, by raw address. On
 * other networks, it would cost an extra request per call, so they are not queried.
 */
export function describeHere(
  access: CodeAccess,
): (address: string) => Promise<ContractDescription | undefined> {
  const folder = surroundings().folder;
  const known = new Map<string, Promise<ContractDescription | undefined>>();
  const describe = async (address: string): Promise<ContractDescription | undefined> => {
    if (access.network.kind !== 'local' || (await projectAround(folder)).length === 0) {
      return undefined;
    }
    const [{ readDeployedCode }, { describeContract }] = await Promise.all([
      import('../toolkit/getMethods/readDeployedCode'),
      import('../toolkit/contracts/abi/contractDescription'),
    ]);
    const deployed = await readDeployedCode(access, address);
    return deployed.codeHash === undefined
      ? undefined
      : describeContract(deployed, await projectWith(folder, deployed));
  };
  return (address) => {
    const found = known.get(address) ?? describe(address);
    known.set(address, found);
    return found;
  };
}
