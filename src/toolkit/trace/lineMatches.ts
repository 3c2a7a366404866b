import type { ListedLine } from './liveLines';
import type { TraceContext } from './traceContext';
import { matchesFilter } from './traceFilter';
import type { TraceFilter } from './traceFilter';

/** Which lines of a list to show. Omitted fields match everything. */
export interface LineFilter extends TraceFilter {
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
