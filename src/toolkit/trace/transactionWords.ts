import { explainExitCode, skipReasons } from '../exitCodes';
import { failedOutcome } from './failedOutcome';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import { nodeMessage, nodeResult } from './traceText';
import { failureOf } from './verdict';

/** What one transaction did, or why it failed. */
export function transactionHeadline(
  node: TraceNode,
  context: TraceContext,
  resultOf: typeof nodeResult = nodeResult,
): string {
  if (failedOutcome(node.outcome)) {
    return failureOf(node, context);
  }
  const who = node.account === undefined ? 'An account' : context.title(node.account);
  return `${who}: ${nodeMessage(node, context)}, ${resultOf(node, context)}`;
}

/** The meaning of a failed transaction's code and what to do; empty if it did not fail or nothing is known. */
export function codeMeaning({ account, transaction }: TraceNode, context: TraceContext): string {
  const { compute_ph: compute, action } = transaction?.description ?? {};
  if (compute?.skipped === true) {
    return skipReasons.get(compute.reason ?? '')?.cause ?? '';
  }
  if (compute?.success === false && compute.exit_code != null) {
    const known = explainExitCode(compute.exit_code, 'compute', context.exitSource(account));
    return known === undefined
      ? "This is not a TVM code; see the contract's source for what it means."
      : (known.cause ?? '');
  }
  return action?.success === false && action.result_code != null
    ? (explainExitCode(action.result_code, 'action')?.cause ?? '')
    : '';
}

/** Why a message of the local network has no transaction, and what to do. */
export function engineFailure(reason: string): string[] {
  return [
    `The engine failed on this message: ${reason}.`,
    'It is kept with its coins. /control/retry retries it, for example after you change the account; /control/drop discards it.',
  ];
}
