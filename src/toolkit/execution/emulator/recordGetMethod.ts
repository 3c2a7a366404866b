import { Address, Cell, parseTuple } from '@ton/core';
import { limits } from '../../base/limits';
import { recordExecution } from '../../recording/recordExecution';
import type { Recording } from '../../recording/recording';
import { getMethodGasLimit } from './createSandboxEmulator';
import { everyStep } from './emulator';
import type { Emulator } from './emulator';

/** A get-method to run step by step: text and numbers only, so that it crosses threads. BoCs are base64. */
export interface GetMethodRun {
  /** In the form of getConfigAll. */
  config: string;
  /** The library dictionary; null without libraries. */
  libraries: string | null;
  code: string;
  data: string;
  /** Raw. */
  address: string;
  methodId: number;
  /** The arguments: a VmStack. */
  stack: string;
  /** Unix seconds. */
  now: number;
  /** Nanocoins. */
  balance: bigint;
  /** As in {@link GetMethodInput}, with the same defaults; the next three, too. */
  seed?: string | undefined;
  gasLimit?: bigint | undefined;
  extraCurrencies?: Readonly<Record<string, string>> | undefined;
  previousBlocks?: string | undefined;
}

/** A get-method that ran, with all its steps. */
export interface RecordedGetMethod {
  recording: Recording;
  exitCode: number;
  gasUsed: number;
  /** What it returned: a VmStack, BoC in base64. */
  stackBoc: string | undefined;
  /** Hash (hex) of a library that the code needs and was not given. */
  missingLibrary: string | null;
}

/**
 * Runs a get-method and records its steps.
 *
 * @throws WorkbenchError as `Emulator.runGetMethod`
 */
export async function recordGetMethod(
  emulator: Pick<Emulator, 'runGetMethod'>,
  { address, stack, ...run }: GetMethodRun,
): Promise<RecordedGetMethod> {
  const input = {
    ...run,
    address: Address.parse(address),
    stack: parseTuple(Cell.fromBase64(stack)),
  };
  const { vmLog, exitCode, gasUsed, stackBoc, missingLibrary } = await emulator.runGetMethod({
    ...input,
    verbosity: everyStep,
  });
  // The engine keeps all of a get-method's log and does not count its steps.
  const kept = vmLog.slice(-limits.getMethodLog.most);
  const facts = {
    gasAtStart: Number(run.gasLimit ?? getMethodGasLimit),
    gasUsed: Number(gasUsed),
    vmSteps: 0,
  };
  const vmSteps = kept.length === vmLog.length ? 0 : recordExecution(vmLog, facts).steps;
  const recording = recordExecution(kept, { ...facts, vmSteps });
  return { recording, exitCode, gasUsed: Number(gasUsed), stackBoc, missingLibrary };
}
