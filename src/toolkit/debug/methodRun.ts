import { Cell } from '@ton/core';
import type { ContractDescription } from '../abi/describeContract';
import type { StorageLayout } from '../layouts/findStorage';
import { followRegisters } from '../recording/followRegisters';
import { missingStepsNotes } from '../recording/missingStepsNotes';
import type { Recording } from '../recording/recording';
import { exitText } from '../replay/replayText';
import type { MappedSteps } from '../sourceMap/mapSteps';
import { refusedInRun } from '../sourceMap/refusedInRun';
import type { DebugRun } from './debugProgram';
import { constantsOf } from './constantsOf';
import { storageReader } from './storageReader';

/** A get-method that ran step by step. */
export interface MethodExecuted {
  recording: Recording;
  lines: MappedSteps | undefined;
  /** The block is that at whose end it ran; a test has none. */
  inputs: { data: string; seqno?: number | undefined };
}

/** What is known about the contract. */
export interface MethodKnowledge {
  /** `currentCounter on Counter` */
  title: string;
  exits: Pick<ContractDescription, 'standards' | 'errors'>;
  storage: StorageLayout | undefined;
}

/** A get-method as a debug session shows it. */
export function methodRun(
  { recording, lines, inputs }: MethodExecuted,
  { title, exits, storage }: MethodKnowledge,
): DebugRun {
  // What surrounds a get-method is the service's own; its globals are not set before it begins.
  const start = { c4: Cell.fromBase64(inputs.data), c5: Cell.EMPTY, c7: [{ type: 'unknown' }] as const };
  return {
    recording,
    lines,
    registers: followRegisters(recording, start),
    cause: `get-method ${title}${inputs.seqno === undefined ? '' : `, block ${inputs.seqno}`}`,
    exitText: (code) => exitText(code, exits),
    constants: constantsOf(exits.errors),
    readStorage: storageReader(storage),
    notes: [...missingStepsNotes(recording), ...(lines === undefined ? [] : refusedInRun(lines))],
  };
}
