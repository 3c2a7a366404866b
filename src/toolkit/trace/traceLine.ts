import { explainExitCode, skipReasons } from '../contracts/exitCodes';
import { clockTime, isReadableText, visibleText } from '../base/text';
import type { TraceAction } from './actionWords';
import { sumTransfers } from './actionWords';
import type { ShownStatus } from './isEmulated';
import { isEmulated, isEmulation, nodeStatus, traceStatus } from './isEmulated';
import type { TraceModel, TraceNode } from './traceModel';
import { failureLines } from './failureHeadline';
import { counted, shortCoins } from './figures';
import { mainNode } from './nodeChange';
import { traceActions } from './traceActions';
import type { TraceContext } from './traceContext';
import { actionsLine, nodeMessage, nodeResult } from './traceText';
import { causeOf } from './verdict';

/** An account in a line. */
export interface LineParty {
  /** Raw, lowercase hex. */
  address: string;
  /** Its best name at the time the line was made. */
  name: string;
}

/**
 * The contents of a trace's row: small enough to be kept when the trace itself is not. Text is safe to
 * display.
 */
export interface TraceLine {
  status: ShownStatus;
  /** Predicted: it has not happened. */
  isEmulated: boolean;
  /** The message's name, or the kind of event: `Withdraw`, `transfer 1 TON`, `deploy`. */
  what: string;
  /** Whether it deployed `to`. */
  deploys: boolean;
  from?: LineParty | undefined;
  to?: LineParty | undefined;
  /** The one fact that matters: the cause of failure, an amount, a comment. */
  fact: string;
  /** Unix seconds of the first transaction. */
  time?: number | undefined;
}

/**
 * The kinds of action with a message's sender and recipient; the words of other kinds name everyone involved.
 */
const plainActions: ReadonlySet<string> = new Set(['ton_transfer', 'contract_deploy', 'call_contract']);

/** A trace in one line: `Withdraw`, alice → Vault, ERR_OVER_LIMIT. */
export function traceLine(context: TraceContext): TraceLine {
  const { model } = context;
  const actions = traceActions(context);
  const main = mainNode(context);
  const base = {
    status: traceStatus(model),
    isEmulated: isEmulation(model),
    fact: failureFact(main, context) ?? successFact(main, actions, context),
    time: model.source.start_utime ?? model.nodes[0]?.transaction?.now ?? undefined,
  };
  const [action] = actions;
  if (main === undefined || (action !== undefined && !isPlain(action, main))) {
    return { ...base, what: action?.words ?? 'nothing is known about this trace', deploys: false };
  }
  const sum = sumTransfers(actions, context);
  if (sum !== undefined) {
    const [only, ...others] = sum.to;
    const isOne = others.length === 0;
    const fact = isOne ? '' : `to ${counted(sum.to.size, 'account')}`;
    return {
      ...{ ...base, fact: base.status === 'failed' ? base.fact : fact, deploys: false },
      what: `${counted(sum.count, 'transfer')}, ${context.coins(sum.total)}`,
      from: partyOf(sum.from, context),
      ...(isOne ? { to: partyOf(only, context) } : {}),
    };
  }
  const deploys = action?.type === 'contract_deploy';
  return {
    ...base,
    what: deploys ? 'deploy' : messageWords(main, action, context),
    deploys,
    from: partyOf(main.message?.source ?? undefined, context),
    to: partyOf(main.account, context),
  };
}

/**
 * Whether the message's name is enough: not for other kinds of action, nor for one further down the trace.
 */
function isPlain({ type, nodes }: TraceAction, main: TraceNode): boolean {
  return plainActions.has(type) || (type === 'tick_tock' && nodes.includes(main.index));
}

function messageWords(node: TraceNode, action: TraceAction | undefined, context: TraceContext): string {
  if (action?.type === 'ton_transfer') {
    const value = node.message?.value;
    return value == null ? 'transfer' : `transfer ${context.coins(value)}`;
  }
  const name = nodeMessage(node, context);
  return name === '' ? 'transaction' : name;
}

function partyOf(address: string | undefined, context: TraceContext): LineParty | undefined {
  return address === undefined ? undefined : { address, name: context.name(address) };
}

/** `ERR_OVER_LIMIT`, `bob: not enough coins`; undefined if nothing failed. */
function failureFact(main: TraceNode | undefined, context: TraceContext): string | undefined {
  const cause = causeOf(context.model);
  if (cause === undefined) {
    return undefined;
  }
  const elsewhere =
    cause.account === undefined || cause.account === main?.account ? '' : `${context.name(cause.account)}: `;
  return `${elsewhere}${reasonOf(cause, context)}`;
}

function reasonOf(node: TraceNode, context: TraceContext): string {
  const description = node.transaction?.description;
  const compute = description?.compute_ph;
  if (compute?.skipped === true) {
    const reason = String(compute.reason ?? 'code not run');
    return skipReasons.get(reason)?.name ?? visibleText(reason, 40);
  }
  const code = compute?.exit_code;
  if (compute?.success === false && code != null) {
    const known = explainExitCode(code, 'compute', context.exitSource(node.account));
    return known === undefined ? `exit ${code}` : visibleText(known.name, 60);
  }
  const result = description?.action?.result_code;
  if (description?.action?.success === false && result != null) {
    return explainExitCode(result, 'action')?.name ?? `result ${result} in the action phase`;
  }
  return node.outcome === 'partial' ? 'actions left out' : 'aborted';
}

function successFact(
  main: TraceNode | undefined,
  [action, ...others]: readonly TraceAction[],
  context: TraceContext,
): string {
  const { message } = main ?? {};
  if (main === undefined || message == null || action === undefined || !plainActions.has(action.type)) {
    return others.length === 0 ? '' : `and ${counted(others.length, 'more action')}`;
  }
  const comment = context.comment(message);
  if (comment !== undefined && comment !== '') {
    return isReadableText(comment) ? `"${visibleText(comment, 60)}"` : 'a comment of bytes that are not text';
  }
  return (
    fanOut(main, context) ??
    // What a deployment carries says little, and would take the room of its time.
    (action.type !== 'call_contract' || message.value == null ? '' : context.coins(message.value))
  );
}

/** `50 × bob, 5 TON`: many messages to one account. */
function fanOut({ children }: TraceNode, context: TraceContext): string | undefined {
  const [first] = children;
  const account = first?.account;
  if (children.length < 2 || account === undefined || children.some((child) => child.account !== account)) {
    return undefined;
  }
  const sum = children.reduce((total, child) => total + (child.message?.value ?? 0n), 0n);
  return `${children.length} × ${context.name(account)}, ${context.coins(sum)}`;
}

/** The current name of a raw address. */
export type NameNow = (address: string) => string | undefined;

/** `Withdraw`, `deploy Vault`, `emulated: Withdraw`. */
export function lineLabel({ what, deploys, to, isEmulated }: TraceLine, name: NameNow): string {
  const words = deploys ? `${what} ${shown(to, name)}`.trim() : what;
  return isEmulated ? `emulated: ${words}` : words;
}

/** `alice → Vault`; empty if the label already names them. */
export function lineParties({ deploys, from, to }: TraceLine, name: NameNow): string {
  const [left, right] = [shown(from, name), shown(to, name)];
  if (deploys) {
    return left === '' ? '' : `by ${left}`;
  }
  return left === '' || right === '' ? left + right : `${left} → ${right}`;
}

/** Longer titles would make a tab as wide as its window. */
const longestTitle = 60;

/** A title that says what happened: `Withdraw: alice → Vault`, `deploy Vault`. */
export function lineTitle(line: TraceLine, name: NameNow): string {
  const parties = line.deploys ? '' : lineParties(line, name);
  const label = lineLabel(line, name);
  return visibleText(parties === '' ? label : `${label}: ${parties}`, longestTitle);
}

function shown(party: LineParty | undefined, name: NameNow): string {
  return party === undefined ? '' : (name(party.address) ?? party.name);
}

/** Tree rows for a trace and its transactions. Loaded with the first trace, not with the window. */
export interface RowWords {
  label: string;
  description: string;
  status: ShownStatus;
  /** Predicted: it has not happened. */
  isEmulated: boolean;
  tooltip: string;
}

/**
 * The row of a trace: what happened, who, the one fact that matters, and the time; the verdict is in its
 * tooltip.
 */
export function traceRow(context: TraceContext): RowWords {
  const line = traceLine(context);
  const name: NameNow = () => undefined;
  const parts = [...lineFacts(line, name), line.time === undefined ? '' : clockTime(line.time)];
  return {
    label: lineLabel(line, name),
    description: parts.filter((part) => part !== '').join('  '),
    status: line.status,
    isEmulated: line.isEmulated,
    tooltip: traceTooltip(context),
  };
}

/** Who took part, and the one fact that matters: first if it is why it failed, because a narrow list cuts the end. */
export function lineFacts(line: TraceLine, name: NameNow): string[] {
  const parties = lineParties(line, name);
  return line.status === 'failed' ? [line.fact, parties] : [parties, line.fact];
}

/** All actions, the whole verdict, and the number of transactions. */
export function traceTooltip(context: TraceContext): string {
  const { model } = context;
  const failure = failureLines(context);
  return [
    actionsLine(traceActions(context), context),
    ...(failure.length === 0 ? [] : [failure.join('\n')]),
    `${counted(model.nodes.length, 'transaction')}${model.incomplete ? ', incomplete' : ''}`,
  ].join('\n\n');
}

/** The row of a transaction: account by name, message by name, value, result; the result first if it failed. */
export function nodeRow(node: TraceNode, context: TraceContext): RowWords {
  const account = node.account === undefined ? 'unknown account' : context.title(node.account);
  const value = node.message?.value ?? undefined;
  const status = nodeStatus(node, context.model);
  const cause = [
    nodeMessage(node, context),
    ...(value === undefined ? [] : [`${shortCoins(value)} ${context.coin}`]),
  ];
  const result = nodeResult(node, context);
  const parts = status === 'failed' ? [result, ...cause] : [...cause, result];
  return {
    label: account,
    description: parts.filter((part) => part !== '').join('  '),
    status,
    isEmulated: isEmulated(node),
    tooltip: [account, ...parts, ...(node.account === undefined ? [] : [node.account])].join('\n\n'),
  };
}

/** The transactions from the root to the cause of a failure: the expanded rows. */
export function pathToCause(model: TraceModel): ReadonlySet<TraceNode> {
  const path = new Set<TraceNode>();
  for (let node = causeOf(model)?.parent; node !== undefined; node = node.parent) {
    path.add(node);
  }
  return path;
}
