import type { TraceRef } from '../../commandArguments';
import type { LiveTraces } from './liveTraces';
import { moreTracesCommand } from './recentTracesCommand';
import type { TraceFilters } from './traceFilters';
import type { TraceServices } from './traceServices';
import type { TracesView } from './tracesView';

/**
 * Shows older traces: those after a line of the local network (with an empty key those that are known and not shown), or
 * without one those of the account that is being listed.
 */
export async function showOlderTraces(
  {
    services,
    filters,
    live,
    view,
  }: { services: TraceServices; filters: TraceFilters; live: LiveTraces; view: TracesView },
  after: TraceRef | undefined,
): Promise<void> {
  if (after === undefined) {
    await moreTracesCommand(services, services.traces, filters);
    return;
  }
  await live.older(after.key);
  view.showMore();
}
