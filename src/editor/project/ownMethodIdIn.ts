import { methodNamed, ownMethodId } from '../../toolkit/abi/methodNamed';
import { describeDeployed } from './describeDeployed';
import type { ProjectContracts } from './projectContracts';

/** Looks up the id that the project's source of a code gives a method, if it is not the one of its name. */
export function ownMethodIdIn(
  project: ProjectContracts,
  method: string,
): (codeHash: string) => Promise<number | undefined> {
  return async (codeHash) =>
    ownMethodId(methodNamed(await describeDeployed(project, { codeHash }), method)?.signature);
}
