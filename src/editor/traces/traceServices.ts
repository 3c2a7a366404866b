import type { Services } from '../services';
import type { OpenTraces } from './openTraces';

/** What features share, plus the open traces. */
export interface TraceServices extends Services {
  traces: OpenTraces;
}
