import type { TraceWordSources } from '../../toolkit/workflows/describeTrace';
import type { ProjectContracts } from './projectContracts';

/** The names that the workspace's contracts give messages and exit codes. */
export function projectWords(project: ProjectContracts): Pick<TraceWordSources, 'contracts' | 'chosen'> {
  return { contracts: () => project.list(), chosen: (hash) => project.chosen(hash) };
}
