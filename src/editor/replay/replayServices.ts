import type { TraceServices } from '../traces/traceServices';
import type { Replays } from './replays';

/** The services for replays: traces to choose a transaction from, and the replays of this window. */
export interface ReplayServices extends TraceServices {
  replays: Replays;
}
