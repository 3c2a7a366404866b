import type { TraceNode } from '../../toolkit/trace/traceModel';
import type { AccountListing, OpenTrace, WaitingMessage } from './openTraces';

/** A row of the view "Traces", as passed to its commands. */
export type TraceElement =
  | { kind: 'waiting'; message: WaitingMessage }
  | { kind: 'trace'; trace: OpenTrace }
  | { kind: 'node'; trace: OpenTrace; node: TraceNode; account: { address: string } }
  | { kind: 'more'; trace: OpenTrace; parent: TraceNode | undefined; from: number }
  | { kind: 'older'; listing: AccountListing };
