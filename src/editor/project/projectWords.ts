import type { Cell } from '@ton/core';
import type { DecodedBody } from '../../toolkit/contracts/opcodes/decodedBody';
import type { TraceWordSources } from '../../toolkit/workflows/describeTrace';
import type { ProjectContracts } from './projectContracts';

/** The names for messages and exit codes from the workspace's contracts. */
export function projectWords(project: ProjectContracts): Pick<TraceWordSources, 'contracts' | 'chosen'> {
  return { contracts: () => project.list(), chosen: (hash) => project.chosen(hash) };
}

/** Reads message bodies by the ABIs and sources of the workspace; undefined if these describe no structs. */
export async function projectBodies(
  project: ProjectContracts,
): Promise<{ readBody?: (body: Cell) => DecodedBody | undefined }> {
  const [{ projectLayouts }, { fittingLayout }] = await Promise.all([
    import('../../toolkit/contracts/layouts/projectLayouts'),
    import('../../toolkit/contracts/layouts/fittingLayout'),
  ]);
  const sets = await projectLayouts(await project.list());
  return sets.length === 0 ? {} : { readBody: (body) => fittingLayout(body, sets) };
}
