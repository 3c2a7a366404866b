import type { TraceWordSources } from '../../toolkit/workflows/describeTrace';
import type { ProjectContracts } from './projectContracts';

/** The names for messages and exit codes from the workspace's contracts. */
export function projectWords(project: ProjectContracts): Pick<TraceWordSources, 'contracts' | 'chosen'> {
  return { contracts: () => project.list(), chosen: (hash) => project.chosen(hash) };
}
