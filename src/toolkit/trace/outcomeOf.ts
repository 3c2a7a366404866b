import type { Outcome } from './traceModel';
import type { V3ComputePhase, V3Transaction } from '../api/v3Objects';

/** Whether the code succeeded, as far as the answer shows; undefined if unknown. */
export function computeSucceeded(compute: V3ComputePhase | null | undefined): boolean | undefined {
  if (compute?.success != null) {
    return compute.success;
  }
  return compute?.exit_code == null ? undefined : compute.exit_code === 0 || compute.exit_code === 1;
}

/** Whether the code ran and ended with an exception. */
export function hasThrown(transaction: V3Transaction | undefined): boolean {
  const compute = transaction?.description?.compute_ph;
  return compute != null && compute.skipped !== true && computeSucceeded(compute) === false;
}

/**
 * A transaction's outcome, in a developer's sense.
 *
 * `aborted` alone is not enough: a jetton notification with one nanocoin to an ordinary wallet is aborted, because
 * the wallet's code cannot run without gas, but nothing is wrong with that. So a skipped compute phase counts as "not
 * run" if the message does not bounce, or if it carries at most one nanocoin, whatever its flag: that could not buy
 * gas or pay for a bounce, so its sender expected neither. Conversely, a transaction can be "successful" although the
 * action phase skipped a transfer with the flag "ignore errors": that is "partial".
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
