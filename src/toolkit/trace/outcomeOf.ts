import type { V3ComputePhase, V3Transaction } from '../api/v3Objects';
import { explainExitCode, skipReasons, unexplainedExit } from '../contracts/exitCodes';
import { visibleText } from '../base/text';
import type { Outcome } from './traceModel';
import { counted, feeText, feesOf, formatChange, formatCoins, formatInteger } from './figures';
import type { TraceContext } from './traceContext';

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

/** Whether a line of the code is to blame: it threw, or added an action that failed. */
export function hasFailedAtLine(transaction: V3Transaction | undefined): boolean {
  return hasThrown(transaction) || transaction?.description?.action?.success === false;
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

/** The phases at a glance: name, result, and costs without label, then the sum of the costs. */
export function phaseRows(transaction: V3Transaction, context: TraceContext): string[][] {
  const description = transaction.description ?? {};
  const fees = feesOf(transaction);
  const fee = (amount: bigint): string => (amount === 0n ? '' : formatCoins(amount));
  const rows: string[][] = [];
  const { storage_ph: storage, credit_ph: credit, compute_ph: compute, action, bounce } = description;
  if (storage != null) {
    const due = storage.storage_fees_due ?? undefined;
    const status = `account ${visibleText(storage.status_change ?? 'unchanged', 24)}`;
    rows.push([
      'storage',
      due === undefined ? status : `${status}, ${context.coins(due)} owed`,
      fee(fees.storage),
    ]);
  }
  if (credit != null) {
    rows.push(['credit', credit.credit == null ? unknown : formatChange(credit.credit, 9), '']);
  }
  if (compute != null) {
    rows.push(['compute', computeResult(transaction, context), fee(fees.gas)]);
  }
  if (action != null) {
    rows.push(['action', actionResult(action), fee(fees.action)]);
  } else if (compute != null) {
    rows.push([
      'action',
      computeSucceeded(compute) === false || compute.skipped === true ? 'not reached' : unknown,
      '',
    ]);
  }
  if (bounce != null) {
    rows.push(['bounce', bounceResult(bounce), action == null ? fee(fees.action) : '']);
  }
  rows.push([
    'forward',
    transaction.out_msgs == null ? unknown : `carried by ${counted(transaction.out_msgs.length, 'message')}`,
    fee(fees.forward),
  ]);
  if (fees.import + fees.other !== 0n) {
    rows.push([fees.import === 0n ? 'other' : 'import', '', fee(fees.import + fees.other)]);
  }
  rows.push(['all', '', feeText(fees)]);
  return rows;
}

function computeResult(transaction: V3Transaction, context: TraceContext): string {
  const compute = transaction.description?.compute_ph;
  const steps = compute?.vm_steps == null ? '' : `, ${counted(compute.vm_steps, 'step')}`;
  const exit = computedExit(transaction, context);
  return compute?.skipped === true ? exit : `${exit}, gas ${gasText(transaction)}${steps}`;
}

/** `exit 402 "ERR_CLOSED"`, `skipped: no gas`. */
export function computedExit({ account, description }: V3Transaction, context: TraceContext): string {
  const compute = description?.compute_ph;
  if (compute?.skipped === true) {
    const reason = compute.reason ?? 'reason unknown';
    return `skipped: ${skipReasons.get(reason)?.name ?? visibleText(reason, 30)}`;
  }
  const code = compute?.exit_code ?? undefined;
  const source = context.exitSource(account ?? undefined);
  const known = code === undefined ? undefined : explainExitCode(code, 'compute', source);
  const name = known?.by === 'contract' ? `"${known.name}"` : (known?.name ?? unexplainedExit(source));
  return `exit ${code === undefined ? unknown : `${code} ${name}`}`;
}

/** `1 512 of 66 667`: used, and paid for. */
export function gasText({ description }: V3Transaction): string {
  const compute = description?.compute_ph;
  const limit = compute?.gas_limit || compute?.gas_credit || compute?.gas_limit;
  return `${figureText(compute?.gas_used)} of ${figureText(limit)}`;
}

/** Facts omitted by the service. */
const unknown = 'unknown';

function figureText(figure: bigint | null | undefined): string {
  return figure == null ? unknown : formatInteger(figure);
}

/** `1 action, 1 message sent`, `result 37 not enough coins, 0 messages sent`. */
export function actionResult(
  action: NonNullable<NonNullable<V3Transaction['description']>['action']>,
): string {
  const code = action.result_code;
  const meaning = code == null ? '' : (explainExitCode(code, 'action')?.name ?? '');
  const result =
    action.success === false
      ? `result ${code ?? unknown} ${meaning}`.trimEnd()
      : countText(action.tot_actions, 'action');
  const sent = `${countText(action.msgs_created, 'message')} sent`;
  const skipped = (action.skipped_actions ?? 0) > 0 ? `, ${action.skipped_actions} left out` : '';
  return `${result}, ${sent}${skipped}`;
}

function countText(count: number | null | undefined, noun: string): string {
  return count == null ? `${noun}s ${unknown}` : counted(count, noun);
}

/** What became of the message that was to be returned. */
export function bounceResult(
  bounce: NonNullable<NonNullable<V3Transaction['description']>['bounce']>,
): string {
  switch (bounce.type) {
    case 'ok':
      return 'a message was returned';
    case 'nofunds':
      return 'nothing was returned: too few coins left to send a message';
    case 'negfunds':
      return 'nothing was returned: the balance would be negative';
    default:
      return visibleText(bounce.type ?? '', 40);
  }
}
