import type { Transaction } from '@ton/core';
import { failedActionStep } from '../recording/recording';
import type { Recording } from '../recording/recording';
import { actionPhaseOf } from './replayErrors';
import type { MappedSteps } from '../sourceMap/mapSteps';
import type { ThrownAt } from '../sourceMap/thrownAt';
import { failedActionAt, thrownAt } from '../sourceMap/thrownAt';

/**
 * The line at which a run failed: that threw, or that added the action which failed afterward. Undefined if nothing did, or
 * if it has no certain line.
 *
 * @param transaction of the run; undefined for a get-method
 */
export function failureAt(steps: MappedSteps, transaction: Transaction | undefined): ThrownAt | undefined {
  const sent = transaction && failedActionOf(steps.recording, transaction);
  return sent === undefined ? thrownAt(steps) : failedActionAt(steps, sent);
}

/** The step that added the action which failed; undefined if none did, or it is not certain which. */
export function failedActionOf(recording: Recording, transaction: Transaction): number | undefined {
  const action = actionPhaseOf(transaction);
  return action === undefined || action.success
    ? undefined
    : failedActionStep(recording, { index: action.resultArg, total: action.totalActions });
}
