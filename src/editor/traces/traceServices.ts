import type { Services } from '../services';
import type { OpenTraces } from './openTraces';

/** What features share, and the traces that are open. */
export interface TraceServices extends Services {
  traces: OpenTraces;
}
