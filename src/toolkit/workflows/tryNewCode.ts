import type { Cell } from '@ton/core';
import type { BuiltContract } from '../build/readBuiltContract';
import { projectStorage, storageMismatch } from '../contracts/layouts/projectLayouts';
import { tryInitialData } from './tryInitialData';
import type { TryInitialDataParameters } from './tryInitialData';

/**
 * Reasons against running new code on a contract's data: the data does not fit the storage that the source
 * declares, or get-methods without arguments fail on it. Whole sentences; empty if no problem is known.
 *
 * @param file of the contract in the project
 * @throws WorkbenchError the errors of access
 */
export async function tryNewCode(
  parameters: TryInitialDataParameters,
  built: BuiltContract,
  data: Cell,
  file: string | undefined,
): Promise<string[]> {
  const storage = await projectStorage(parameters.contracts, { name: built.name, file });
  const mismatch = storage && storageMismatch(data, storage);
  const { failures } = await tryInitialData(parameters, built, data);
  return [...(mismatch === undefined ? [] : [mismatch]), ...failures.map((failure) => `${failure}.`)];
}
