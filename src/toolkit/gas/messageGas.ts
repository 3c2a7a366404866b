import type { ProjectContract } from '../abi/projectContract';
import type { TraceModel } from '../trace/traceModel';
import { contractRuns } from './contractRuns';

/**
 * The gas of each message of the project's contracts in a trace: of the compute phase in which its receiver handled it. Of
 * several messages of one name, the last one. Bounced messages and runs that failed are left out.
 *
 * @param chosen the user's choice of a project contract for a code
 */
export function messageGas(
  model: TraceModel,
  project: readonly ProjectContract[],
  chosen?: (codeHash: string) => string | undefined,
): Map<string, number> {
  const runs = contractRuns(model, project, chosen);
  return new Map(runs.flatMap(({ key, gas }) => (key === undefined ? [] : [[key, gas]])));
}
