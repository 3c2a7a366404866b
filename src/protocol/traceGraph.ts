import type { TraceGraph } from '../toolkit/trace/traceGraph';

export type { GraphNode, TraceGraph } from '../toolkit/trace/traceGraph';

/** From the editor to the trace graph. */
export type ToTraceGraph =
  /** The whole graph; sent in reply to `ready` and whenever the trace grows. */
  | { type: 'show'; graph: TraceGraph; selected: number | undefined }
  /** Something was selected in another view. */
  | { type: 'select'; node: number };

/** From the trace graph to the editor. */
export type FromTraceGraph =
  /** The graph is listening and has nothing to show yet. */
  | { type: 'ready' }
  /** The user selected a transaction. */
  | { type: 'select'; node: number }
  /** The user asked for the transaction's document. */
  | { type: 'open'; node: number }
  /** The user asked for a file. The image is drawn in the webview; other formats are made from the model. */
  | { type: 'export'; format: 'svg'; text: string }
  | { type: 'export'; format: 'mermaid' | 'json' };

/** Whether a webview message is valid: it is untrusted input. */
export function isFromTraceGraph(value: unknown): value is FromTraceGraph {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { type, node, format, text } = value as Record<string, unknown>;
  switch (type) {
    case 'ready':
      return true;
    case 'select':
    case 'open':
      return Number.isInteger(node) && (node as number) >= 0;
    case 'export':
      return format === 'svg' ? typeof text === 'string' : format === 'mermaid' || format === 'json';
    default:
      return false;
  }
}
