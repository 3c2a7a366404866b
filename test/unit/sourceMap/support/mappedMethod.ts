import { Address, Cell } from '@ton/core';
import type { TupleItem } from '@ton/core';
import { mapSource } from '../../../../src/toolkit/build/mapSource';
import { createSandboxEmulator } from '../../../../src/toolkit/execution/emulator/createSandboxEmulator';
import type { Emulator } from '../../../../src/toolkit/execution/emulator/emulator';
import { defaultNetworkConfig } from '../../../../src/toolkit/execution/emulator/networkConfig';
import { methodIdOf } from '../../../../src/toolkit/contracts/abi/methodIdOf';
import { recordExecution } from '../../../../src/toolkit/recording/recordExecution';
import { mapSteps } from '../../../../src/toolkit/sourceMap/mapSteps';
import type { MappedSteps } from '../../../../src/toolkit/sourceMap/mapSteps';
import type { SourceMap } from '../../../../src/toolkit/sourceMap/sourceMap';

let emulator: Promise<Emulator> | undefined;

/** The lines of a Tolk source with no imports. */
export async function mapText(file: string, text: string): Promise<SourceMap> {
  const [map] = await mapSource(file, { read: () => text, isTrusted: false });
  return map!;
}

/** Runs a get-method of a code, or what has a number: 0 is what receives messages; and returns its steps with their lines, and the gas that it used. */
export async function runMapped(
  map: SourceMap,
  code: string,
  method: string | number,
  ...values: (bigint | TupleItem)[]
): Promise<{ steps: MappedSteps; gasUsed: number }> {
  emulator ??= createSandboxEmulator();
  const { gasUsed, vmLog } = await (
    await emulator
  ).runGetMethod({
    config: defaultNetworkConfig().getMethodBase64,
    libraries: null,
    code,
    data: Cell.EMPTY.toBoc().toString('base64'),
    methodId: typeof method === 'number' ? method : methodIdOf(method),
    stack: values.map((value): TupleItem => (typeof value === 'bigint' ? { type: 'int', value } : value)),
    address: new Address(0, Buffer.alloc(32, 7)),
    now: 1_800_000_000,
    balance: 1n,
    verbosity: 'full_location_stack_verbose',
  });
  const vmSteps = vmLog.split('\n').filter((line) => line.startsWith('execute ')).length;
  const facts = { gasAtStart: 1_000_000, gasUsed: Number(gasUsed), vmSteps };
  return { steps: mapSteps(recordExecution(vmLog, facts), map), gasUsed: Number(gasUsed) };
}
