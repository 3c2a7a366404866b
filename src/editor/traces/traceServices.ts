import type { Services } from '../services';
import type { OpenTraces } from './openTraces';

/** The shared services, plus the open traces. */
export interface TraceServices extends Services {
  traces: OpenTraces;
}
