import { recordTransaction } from '../emulator/recordTransaction';
import type { Recording } from '../recording/recording';
import type { Replay } from './runReplay';

/**
 * The steps of a replay that ran with the verbosity `full_location_stack_verbose`; undefined if no code ran. With
 * `record` they were read in the emulator's thread, if it has one.
 */
export function replayRecording({ outcome }: Replay): Recording | undefined {
  return outcome.recording ?? recordTransaction(outcome.transaction, outcome.vmLog);
}
