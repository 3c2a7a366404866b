import type { Cell } from '@ton/core';
import type { DecodedBody } from '../../toolkit/opcodes/decodedBody';
import type { ProjectContracts } from './projectContracts';

/** Reads message bodies by the ABIs and sources of the workspace; undefined if these describe no structs. */
export async function projectBodies(
  project: ProjectContracts,
): Promise<{ readBody?: (body: Cell) => DecodedBody | undefined }> {
  const [{ projectLayouts }, { fittingLayout }] = await Promise.all([
    import('../../toolkit/layouts/projectLayouts'),
    import('../../toolkit/layouts/fittingLayout'),
  ]);
  const sets = await projectLayouts(await project.list());
  return sets.length === 0 ? {} : { readBody: (body) => fittingLayout(body, sets) };
}
