import { explainExitCode, skipReasons } from '../contracts/exitCodes';
import { visibleText } from '../base/text';
import { isEmulated } from './isEmulated';
import { failedOutcome } from './traceModel';
import { computeSucceeded } from './outcomeOf';
import { counted } from './figures';
import type { TraceContext } from './traceContext';
import { compareLt } from './traceKeys';
import type { TraceModel, TraceNode } from './traceModel';

/** Transactions that were undone or skipped actions. */
export function failedNodes(model: TraceModel): TraceNode[] {
  return model.nodes.filter(({ outcome }) => failedOutcome(outcome));
}

/** The failure that the verdict is about: the first one in time, complete failures before partial ones. */
export function causeOf(model: TraceModel): TraceNode | undefined {
  let cause: TraceNode | undefined;
  for (const node of failedNodes(model)) {
    if (
      cause === undefined ||
      (node.outcome === 'failed' && cause.outcome === 'partial') ||
      (node.outcome === cause.outcome && compareLt(node.transaction?.lt, cause.transaction?.lt) < 0)
    ) {
      cause = node;
    }
  }
  return cause;
}

/**
 * "Why did it fail?" in one sentence: the transaction, the phase, the meaning of the code, the contract's own name
 * for it, and where the coins went. Undefined if nothing failed.
 */
export function verdictOf(context: TraceContext): string | undefined {
  const cause = causeOf(context.model);
  if (cause === undefined) {
    return undefined;
  }
  const more = failedNodes(context.model).length - 1;
  const others = more === 0 ? '' : ` (and ${counted(more, 'more transaction')} ${moodOf(cause).failed})`;
  return `${failureOf(cause, context)}${moneyTrail(cause, context)}${others}.`;
}

/** Verbs of what happened, and of what was only predicted: it never reads like what happened. */
const moods = {
  happened: {
    failed: 'failed',
    refused: 'refused',
    notRun: 'did not run its code',
    leftOut: 'left out',
    sent: 'could not be done and were sent',
    aborted: 'was aborted',
    bounced: 'bounced',
    nothingBounced: 'nothing bounced',
    was: 'was',
    stays: 'stays',
  },
  predicted: {
    failed: 'would fail',
    refused: 'would refuse',
    notRun: 'would not run its code',
    leftOut: 'would leave out',
    sent: 'cannot be done and are sent',
    aborted: 'would be aborted',
    bounced: 'would bounce',
    nothingBounced: 'nothing would bounce',
    was: 'is',
    stays: 'would stay',
  },
} as const;

function moodOf(node: TraceNode): (typeof moods)[keyof typeof moods] {
  return isEmulated(node) ? moods.predicted : moods.happened;
}

/** {@link failureTitle}, and the line that threw if it is known. */
export function failureOf(node: TraceNode, context: TraceContext): string {
  return `${failureTitle(node, context)}${lineOf(node, context)}`;
}

/**
 * The failure of one transaction in a few words: `minter refused jetton_mint: ERR_NOT_OWNER, 73`, `bob failed on transfer:
 * cell underflow, exit code 9`. Of one that is only predicted, it `would refuse`.
 */
export function failureTitle(node: TraceNode, context: TraceContext): string {
  const who = node.account === undefined ? 'An account' : context.name(node.account);
  const handling = handled(node, context);
  const mood = moodOf(node);
  const description = node.transaction?.description;
  const compute = description?.compute_ph;
  const action = description?.action;
  if (compute?.skipped === true) {
    const reason = String(compute.reason ?? 'unknown reason');
    const known = skipReasons.get(reason);
    return `${who} ${mood.notRun}${handling}: ${known?.name ?? visibleText(reason, 40)}`;
  }
  if (compute != null && computeSucceeded(compute) === false) {
    return `${who} ${thrown(compute.exit_code ?? undefined, node, context)}`;
  }
  if (action?.success === false) {
    const code = action.result_code ?? undefined;
    const where = action.result_arg == null ? '' : ` at action ${action.result_arg + 1}`;
    const known = code === undefined ? undefined : explainExitCode(code, 'action');
    // The words come first: a narrow row cuts the end off.
    const name = known === undefined ? '' : `${known.name}, `;
    return `${who} ${mood.failed} in the action phase${handling}${where}: ${name}result code ${code ?? 'unknown'}`;
  }
  if (node.outcome === 'partial') {
    const skipped = action?.skipped_actions ?? 0;
    const total = action?.tot_actions ?? skipped;
    return `${who} ${mood.leftOut} ${skipped} of ${counted(total, 'action')}${handling}: they ${mood.sent} with "ignore errors"`;
  }
  return `${who} ${mood.aborted}${handling}`;
}

/** `, at till.tolk:8 \`assert (…)\` with amount = 500`; empty if the line is not known. */
function lineOf(node: TraceNode, context: TraceContext): string {
  const line = context.thrownLine(node);
  if (line === undefined) {
    return '';
  }
  const values = line.values.length === 0 ? '' : ` with ${line.values.join(', ')}`;
  return `, at ${line.place} \`${line.code}\`${values}`;
}

/** A contract refuses by a code of its own; the machine's codes are failures. */
function thrown(code: number | undefined, node: TraceNode, context: TraceContext): string {
  const mood = moodOf(node);
  const what = messageOf(node, context);
  const known =
    code === undefined ? undefined : explainExitCode(code, 'compute', context.exitSource(node.account));
  if (known?.by === 'contract') {
    return `${mood.refused} ${what ?? 'to run'}: ${known.name}, ${code}`;
  }
  const on = what === undefined ? '' : ` on ${what}`;
  return known === undefined
    ? `${mood.refused} ${what ?? 'to run'}: exit code ${code ?? 'unknown'}`
    : `${mood.failed}${on}: ${known.name}, exit code ${code}`;
}

function handled(node: TraceNode, context: TraceContext): string {
  const what = messageOf(node, context);
  return what === undefined ? '' : ` of ${what}`;
}

function messageOf({ message }: TraceNode, context: TraceContext): string | undefined {
  if (message == null) {
    return undefined;
  }
  const name = context.messageName(message);
  return name === 'external message' ? 'the external message' : name;
}

/** Where the failed message's coins went. */
function moneyTrail(node: TraceNode, context: TraceContext): string {
  const value = node.message?.value ?? undefined;
  if (node.outcome === 'partial' || value === undefined || node.message?.source == null) {
    return '';
  }
  const mood = moodOf(node);
  const bounced = node.children.find((child) => child.message?.bounced === true);
  if (bounced !== undefined) {
    const returned = bounced.message?.value;
    const back = returned == null ? 'an unknown amount' : context.coins(returned);
    const to = context.title(bounced.account ?? '');
    return bounced.outcome === 'unknown'
      ? `; ${back} is on the way back to ${to}`
      : `; ${back} of ${context.coins(value)} ${mood.bounced} to ${to}`;
  }
  const phase = node.transaction?.description?.bounce?.type;
  if (phase === 'nofunds' || phase === 'negfunds') {
    return `; ${mood.nothingBounced}: what ${mood.was} left of ${context.coins(value)} does not cover a message back`;
  }
  const stays = node.account === undefined ? 'there' : `with ${context.title(node.account)}`;
  if (node.message.bounce !== true) {
    return `; the message ${mood.was} non-bounceable, so what is left of ${context.coins(value)} ${mood.stays} ${stays}`;
  }
  return node.transaction?.description?.action?.success === false
    ? `; what is left of ${context.coins(value)} ${mood.stays} ${stays}, because a failed action phase does not bounce by default`
    : '';
}
