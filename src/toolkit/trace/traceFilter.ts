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
