import type { Outcome } from './traceModel';
import type { V3ComputePhase, V3Transaction } from '../api/v3Objects';

/** Whether the code ended well, by what the answer has of it; undefined where that says neither. */
export function computeSucceeded(compute: V3ComputePhase | null | undefined): boolean | undefined {
  if (compute?.success != null) {
    return compute.success;
  }
  return compute?.exit_code == null ? undefined : compute.exit_code === 0 || compute.exit_code === 1;
}

/**
 * How a transaction ended, as a developer means it.
 *
 * `aborted` alone says too little: a jetton notification with one nanocoin to an ordinary wallet is aborted, because
 * the wallet's code cannot run without gas, and nothing is wrong with that. So a skipped compute phase of a message that
 * does not bounce counts as "not run"; and so does one of a notice that carries no more than one nanocoin, whatever its
 * flag says: it could buy no gas and pay for no message back, so its sender did not count on either. The other way round a transaction can be "successful" though the action phase
 * left out a transfer that carried the flag "ignore errors": that is "partial".
 */
export function outcomeOf(transaction: V3Transaction | undefined): Outcome {
  const description = transaction?.description;
  if (description == null) {
    return 'unknown';
  }
  const compute = description.compute_ph;
  if (compute?.skipped === true) {
    const harmless = compute.reason === 'no_state' || compute.reason === 'no_gas';
    const bounces = transaction?.in_msg?.bounce === true || description.bounce != null;
    const isNotice = (transaction?.in_msg?.value ?? 2n) <= 1n && description.bounce?.type !== 'ok';
    return harmless && (!bounces || isNotice) && transaction?.in_msg != null ? 'notRun' : 'failed';
  }
  if (
    description.aborted === true ||
    computeSucceeded(compute) === false ||
    description.action?.success === false
  ) {
    return 'failed';
  }
  if (
    description.aborted == null &&
    computeSucceeded(compute) === undefined &&
    description.action?.success == null
  ) {
    return 'unknown';
  }
  return (description.action?.skipped_actions ?? 0) > 0 ? 'partial' : 'ok';
}
