import { Cell, contractAddress, getMethodId } from '@ton/core';
import type { Cell as DataCell } from '@ton/core';
import { describeContract } from '../contracts/abi/contractDescription';
import type { ProjectContract } from '../contracts/abi/projectContract';
import type { Access } from '../access/createAccess';
import type { BuiltContract } from '../build/readBuiltContract';
import { createWorkerEmulator } from '../execution/emulator/workerEmulator';
import { exitMeaning } from '../getMethods/withExits';
import { isSuccessCode } from '../contracts/standardExitCode';
import type { Log } from '../base/log';
import { systemClock } from '../base/time';

/** How the get-methods without arguments behave on the data of a contract that is not deployed yet. */
export interface DataTrial {
  /** `info() fails with exit 9, cell underflow` */
  failures: string[];
  /** `count()` */
  passed: string[];
}

/** The contract to try, its network, and what is known about it. */
export interface TryInitialDataParameters {
  /** Provides the blockchain configuration. */
  access: Access;
  contracts: readonly ProjectContract[];
  log: Log;
}

/**
 * Runs the get-methods without arguments on code and data, in a separate thread. If the emulator fails,
 * nothing is reported.
 * @throws WorkbenchError the errors of access
 */
export async function tryInitialData(
  { access, contracts, log }: TryInitialDataParameters,
  { code: boc, codeHash }: Pick<BuiltContract, 'code' | 'codeHash'>,
  data: DataCell,
): Promise<DataTrial> {
  const code = Cell.fromBase64(boc);
  const description = describeContract({ code, codeHash }, contracts);
  const plain = description.methods.filter(({ signature }) => signature?.parameters.length === 0);
  if (plain.length === 0) {
    return { failures: [], passed: [] };
  }
  const { config } = await access.v2.getConfigAll({}, { priority: 'user' });
  const emulator = await createWorkerEmulator();
  try {
    const exitCodes = await emulator.tryGetters({
      config: config.bytes,
      code: boc,
      data: data.toBoc().toString('base64'),
      address: contractAddress(0, { code, data }).toRawString(),
      now: Math.floor(systemClock.now() / 1000),
      methodIds: plain.map(({ name, signature }) => signature?.methodId ?? getMethodId(name)),
    });
    const results = plain.map(({ name }, place) => ({ name, exitCode: exitCodes[place] ?? 0 }));
    const isFine = ({ exitCode }: { exitCode: number }): boolean => isSuccessCode(exitCode);
    return {
      failures: results
        .filter((one) => !isFine(one))
        .map(({ name, exitCode }) => {
          const words = exitMeaning(exitCode, description, name);
          return `${name}() fails with exit ${exitCode}, ${words} on this data`;
        }),
      passed: results.filter(isFine).map(({ name }) => `${name}()`),
    };
  } catch (error) {
    log.warn(`the get-methods could not be tried: ${String(error)}`);
    return { failures: [], passed: [] };
  } finally {
    await emulator.close();
  }
}
