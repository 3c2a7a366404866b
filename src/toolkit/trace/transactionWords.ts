import { explainExitCode, isOutOfGas, skipReasons } from '../exitCodes';
import { failedOutcome } from './failedOutcome';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import type { V3Message, V3Transaction } from '../api/v3Objects';
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
export function codeMeaning({ account, transaction, message }: TraceNode, context: TraceContext): string {
  const { compute_ph: compute, action } = transaction?.description ?? {};
  if (compute?.skipped === true) {
    return skipReasons.get(compute.reason ?? '')?.cause ?? '';
  }
  if (compute?.success === false && compute.exit_code != null) {
    const known = explainExitCode(compute.exit_code, 'compute', context.exitSource(account));
    if (known?.by === 'machine' && isOutOfGas(compute.exit_code)) {
      return gasCause(transaction, message) ?? known.cause ?? '';
    }
    return known === undefined
      ? "This is not a TVM code; see the contract's source for what it means."
      : (known.cause ?? '');
  }
  return action?.success === false && action.result_code != null
    ? (explainExitCode(action.result_code, 'action')?.cause ?? '')
    : '';
}

/** Why gas ran out where more coins in the message would not help; undefined where they would. */
function gasCause(
  transaction: V3Transaction | undefined,
  message: V3Message | undefined,
): string | undefined {
  const compute = transaction?.description?.compute_ph;
  const most = 'It used all the gas that the network allows one transaction: more coins do not help.';
  if (message == null) {
    return most;
  }
  if (message.source == null) {
    // An external message brings no coins: until the code accepts it, it runs on a credit.
    return (compute?.gas_limit ?? 0n) === 0n && compute?.gas_credit != null
      ? 'It used the gas that an external message has before the contract accepts it. Check signature and seqno, then accept, before anything else.'
      : "It used all the gas that the contract's balance pays for, or that the network allows one transaction.";
  }
  // The gas limit follows from the coins of the message, up to the network's own.
  const hasMore = message.value != null && compute?.gas_fees != null && message.value > compute.gas_fees * 2n;
  return hasMore ? `${most} Do less at once.` : undefined;
}

/** Why a message of the local network has no transaction, and what to do. */
export function engineFailure(reason: string): string[] {
  return [
    `The engine failed on this message: ${reason}.`,
    'It is kept with its coins. /control/retry retries it, for example after you change the account; /control/drop discards it.',
  ];
}
