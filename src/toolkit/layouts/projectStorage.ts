import type { ContractRef } from '../abi/contractGroups';
import type { ProjectContract } from '../abi/projectContract';
import { findStorage } from './findStorage';
import type { StorageLayout } from './findStorage';
import { projectLayouts } from './projectLayouts';

/** The struct of the data of a project's contract; undefined without a name, or if nothing declares it. */
export async function projectStorage(
  contracts: readonly ProjectContract[],
  { name, file }: Partial<ContractRef>,
): Promise<StorageLayout | undefined> {
  return name === undefined ? undefined : findStorage(await projectLayouts(contracts), { name, file });
}
