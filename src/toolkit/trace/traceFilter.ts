import type { ListedLine } from './liveLines';
import { traceActions } from './traceActions';
import type { TraceContext } from './traceContext';
import { accountIn } from './traceKeys';
import { failedNodes } from './verdict';

/** Which of the found traces to show. Omitted fields do not filter. */
export interface TraceFilter {
  failedOnly?: boolean | undefined;
  /** From the point of view of `account`: it started the trace, or was reached by it. */
  direction?: 'in' | 'out' | undefined;
  account?: string | undefined;
  /** Kinds of action, for example `jetton_transfer`. */
  actionTypes?: readonly string[] | undefined;
}

/** Whether a trace matches the filter. The service only filters by time and page. */
export function matchesFilter(context: TraceContext, filter: TraceFilter): boolean {
  if (filter.failedOnly === true && failedNodes(context.model).length === 0) {
    return false;
  }
  if (filter.direction !== undefined && filter.account !== undefined) {
    const began = context.model.roots[0]?.account === accountIn(filter.account);
    if (began !== (filter.direction === 'out')) {
      return false;
    }
  }
  return (
    filter.actionTypes === undefined ||
    filter.actionTypes.length === 0 ||
    traceActions(context).some((action) => filter.actionTypes?.includes(action.type))
  );
}

/** Which lines of a list to show. Omitted fields match everything. */
interface LineFilter extends TraceFilter {
  mineOnly?: boolean | undefined;
  /** Unix seconds: traces that ended since then. */
  startTime?: number | undefined;
}

/**
 * Whether a line matches the filter.
 * @param context the whole trace, if it is loaded; without it, a line matches no direction and no kind of
 * action
 */
export function lineMatches(
  line: ListedLine,
  context: TraceContext | undefined,
  { mineOnly, failedOnly, startTime, ...filter }: LineFilter,
): boolean {
  if ((mineOnly === true && !line.isMine) || (failedOnly === true && line.status !== 'failed')) {
    return false;
  }
  const end = context?.model.source.end_utime ?? line.time;
  if (startTime !== undefined && end !== undefined && end < startTime) {
    return false;
  }
  const isPlain = filter.direction === undefined && (filter.actionTypes ?? []).length === 0;
  return isPlain || (context !== undefined && matchesFilter(context, filter));
}
