import { Cell, contractAddress, getMethodId } from '@ton/core';
import type { Cell as DataCell } from '@ton/core';
import { describeContract } from '../../toolkit/abi/describeContract';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';
import { createWorkerEmulator } from '../../toolkit/emulator/workerEmulator';
import { explainExitCode } from '../../toolkit/exitCodes';
import type { Services } from '../services';

/** How the get-methods without arguments get along with the data of a contract that is not deployed yet. */
export interface DataTrial {
  /** `info() fails with exit 9, cell underflow` */
  failures: string[];
  /** `count()` */
  passed: string[];
}

/** Runs the get-methods that take no arguments on code and data, in a thread of its own. */
export async function tryInitialData(
  { project, connections, networks, log }: Services,
  { code: boc, codeHash }: BuiltContract,
  data: DataCell,
): Promise<DataTrial> {
  const code = Cell.fromBase64(boc);
  const { methods, errors } = describeContract({ code, codeHash }, await project.list());
  const plain = methods.filter(({ signature }) => signature?.parameters.length === 0);
  if (plain.length === 0) {
    return { failures: [], passed: [] };
  }
  const access = await connections.open(networks.local());
  const { config } = await access.v2.getConfigAll({}, { priority: 'user' });
  const emulator = await createWorkerEmulator();
  try {
    const exitCodes = await emulator.tryGetters({
      config: config.bytes,
      code: boc,
      data: data.toBoc().toString('base64'),
      address: contractAddress(0, { code, data }).toRawString(),
      now: Math.floor(Date.now() / 1000),
      methodIds: plain.map(({ name, signature }) => signature?.methodId ?? getMethodId(name)),
    });
    const results = plain.map(({ name }, place) => ({ name, exitCode: exitCodes[place] ?? 0 }));
    const isFine = ({ exitCode }: { exitCode: number }): boolean => exitCode === 0 || exitCode === 1;
    return {
      failures: results
        .filter((one) => !isFine(one))
        .map(({ name, exitCode }) => {
          const words = errors.get(exitCode) ?? explainExitCode(exitCode, 'get-method')?.name;
          return `${name}() fails with exit ${exitCode}${words === undefined ? '' : `, ${words}`} on this data`;
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
