import { recordExecution } from '../recording/recordExecution';
import type { Recording } from '../recording/recording';
import { vmPhaseOf } from './vmPhaseOf';
import type { Replay } from './runReplay';

/**
 * The steps of a replay that ran with the verbosity `full_location_stack_verbose`; undefined if no code ran.
 */
export function replayRecording({ replayed, outcome }: Replay): Recording | undefined {
  const compute = vmPhaseOf(replayed);
  if (compute === undefined) {
    return undefined;
  }
  return recordExecution(outcome.vmLog, {
    gasAtStart: Number(compute.gasCredit ?? compute.gasLimit),
    gasUsed: Number(compute.gasUsed),
    vmSteps: compute.vmSteps,
  });
}
