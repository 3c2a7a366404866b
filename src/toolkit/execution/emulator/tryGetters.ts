import { Address } from '@ton/core';
import type { Emulator } from './emulator';
import type { GetterTrial } from './workerEmulator';

/** The usual balance after deployment, in nanocoins, because some get-methods read it. */
const balance = 1_000_000_000n;

/**
 * Runs get-methods without arguments on code and data that are not deployed yet.
 * @returns their exit codes, in the order of the ids
 * @throws WorkbenchError `emulator-failed`, `get-method-result-too-deep`
 */
export async function tryGetters(
  emulator: Pick<Emulator, 'runGetMethod'>,
  { config, code, data, address, now, methodIds }: GetterTrial,
): Promise<number[]> {
  const exitCodes: number[] = [];
  for (const methodId of methodIds) {
    const { exitCode } = await emulator.runGetMethod({
      ...{ config, libraries: null, code, data, methodId, stack: [], now, balance },
      address: Address.parse(address),
    });
    exitCodes.push(exitCode);
  }
  return exitCodes;
}
