import { clockTime } from '../clockTime';
import { isEmulated } from './emulated';
import { counted } from './figures';
import { traceActions } from './traceActions';
import type { TraceContext } from './traceContext';
import { lineLabel, lineParties, traceLine } from './traceLine';
import type { NameNow, TraceLine } from './traceLine';
import type { TraceModel, TraceNode } from './traceModel';
import { nodeStatus } from './traceStatus';
import type { ShownStatus } from './traceStatus';
import { actionsLine, nodeMessage, nodeResult } from './traceText';
import { failureLines } from './failureHeadline';
import { causeOf } from './verdict';
import { shortCoins } from './shortCoins';

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
