import type { ListedLine } from '../../toolkit/trace/liveLines';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import type { AccountListing, OpenTrace, WaitingMessage } from './openTraces';

/** The row of a trace: its line, and the trace itself if it is loaded. */
export interface TraceRowElement {
  kind: 'trace';
  key: string;
  /** Hash of the first transaction; undefined if not known yet. */
  id: string | undefined;
  line: ListedLine;
  trace: OpenTrace | undefined;
  /** The prediction made before the message was sent. */
  rehearsal: OpenTrace | undefined;
}

/** A row of the view "Traces", as passed to its commands. */
export type TraceElement =
  | TraceRowElement
  | { kind: 'waiting'; message: WaitingMessage }
  | { kind: 'rehearsal'; key: string; of: TraceRowElement; trace: OpenTrace }
  | { kind: 'node'; trace: OpenTrace; node: TraceNode; account: { address: string } }
  | { kind: 'more'; trace: OpenTrace; parent: TraceNode | undefined; from: number }
  /**
   * Loads more of the local network's traces: those after a line, or, if undefined, those that are known but
   * not shown.
   */
  | { kind: 'older'; after: ListedLine | undefined; isLast: boolean }
  | { kind: 'olderOfAccount'; listing: AccountListing };
