import { isEmulated, isEmulation } from './emulated';
import { formatTime } from './figures';
import { groupActions } from './groupActions';
import { traceActions } from './traceActions';
import type { TraceContext } from './traceContext';
import type { TraceModel, TraceNode } from './traceModel';
import { nodeStatus, traceStatus } from './traceStatus';
import type { ShownStatus } from './traceStatus';
import { actionsLine, nodeMessage, nodeResult } from './traceText';
import { causeOf, verdictOf, verdictTitle } from './verdict';
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
 * The row of a trace: time, actions, number of transactions; the verdict is its tooltip. Predicted traces say so; the
 * caller labels rehearsals.
 */
export function traceRow(context: TraceContext, isRehearsal: boolean): RowWords {
  const { model } = context;
  const time = model.source.start_utime ?? model.nodes[0]?.transaction?.now;
  const count = model.nodes.length;
  const when = time == null ? '' : clockTime(time);
  const verdict = verdictOf(context);
  const words = actionsLine(groupActions(traceActions(context), context));
  const what = isEmulation(model) && !isRehearsal ? 'emulated: ' : '';
  return {
    label: `${when}  ${what}${verdict ?? words}`.trim(),
    description: `${count} tx${model.incomplete ? ', incomplete' : ''}`,
    status: traceStatus(model),
    isEmulated: isEmulation(model),
    tooltip: [
      words,
      ...(verdict === undefined ? [] : [`${verdictTitle(model)}: ${verdict}`]),
      ...(time == null ? [] : [formatTime(time)]),
    ].join('\n\n'),
  };
}

/** The row of a transaction: account by name, message by name, value, result. */
export function nodeRow(node: TraceNode, context: TraceContext): RowWords {
  const account = node.account === undefined ? 'unknown account' : context.title(node.account);
  const value = node.message?.value ?? undefined;
  const parts = [
    nodeMessage(node, context),
    ...(value === undefined ? [] : [`${shortCoins(value)} ${context.coin}`]),
    nodeResult(node, context.model),
  ];
  return {
    label: account,
    description: parts.filter((part) => part !== '').join('  '),
    status: nodeStatus(node, context.model),
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

/** The time of day in the user's time zone; numbers outside the date range as they are. */
function clockTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toLocaleTimeString();
}
