import { Cell, loadShardAccount } from '@ton/core';
import { followRegisters } from '../../../src/toolkit/recording/followRegisters';
import type { Recording } from '../../../src/toolkit/recording/recording';
import type { ReplayInputs } from '../../../src/toolkit/replay/replayInputs';
import { replayRecording } from '../../../src/toolkit/replay/runReplay';
import type { Replay } from '../../../src/toolkit/replay/runReplay';
import { startRegisters } from '../../../src/toolkit/replay/startRegisters';
import { vmPhaseOf } from '../../../src/toolkit/replay/replayErrors';

/** What the engine's own figures of the execution and its recording disagree about. */
export function recordingFaults(inputs: ReplayInputs, replay: Replay): string[] {
  const recording = replayRecording(replay);
  const vm = vmPhaseOf(replay.replayed);
  if (recording === undefined || vm === undefined) {
    return [];
  }
  const { vmSteps, gasUsed, exitCode } = vm;
  const { steps, stepsMissing, gas } = recording;
  const sum = gas.reduce((total, step) => total + step, 0);
  const last = recording.exceptions.find(({ isFinal }) => isFinal)?.code;
  return [
    ...(steps === vmSteps && stepsMissing === 0 ? [] : [`${steps} of ${vmSteps} steps`]),
    // The VM does not say what its last step used if that was an exception of its own.
    ...(sum === Number(gasUsed) && gas[steps - 1]! <= 200 ? [] : [`${sum} of ${gasUsed} gas`]),
    ...(last === undefined || last === exitCode ? [] : [`exit ${last}, not ${exitCode}`]),
    ...registerFaults(inputs, replay, recording),
  ];
}

function registerFaults(inputs: ReplayInputs, replay: Replay, recording: Recording): string[] {
  const { description } = replay.replayed;
  const action = 'actionPhase' in description ? description.actionPhase : undefined;
  const { c4, c5 } = followRegisters(recording, startRegisters(inputs, replay, recording)).committed();
  const faults: string[] = [];
  if (action != null) {
    const hash = action.actionListHash.toString(16).padStart(64, '0');
    if (c5?.hash().toString('hex') !== hash) {
      faults.push(`c5 is ${c5?.hash().toString('hex')}, not ${hash}`);
    }
  }
  // Failed actions undo the new data.
  if (action?.success === true) {
    const after = loadShardAccount(Cell.fromBase64(replay.outcome.shardAccount).beginParse()).account;
    const state = after?.storage.state;
    if (state?.type === 'active' && !c4?.equals(state.state.data ?? Cell.EMPTY)) {
      faults.push(`c4 is ${c4?.hash().toString('hex')}, not ${state.state.data?.hash().toString('hex')}`);
    }
  }
  return faults;
}
