import type { TraceGraph } from '../toolkit/trace/traceGraph';

export type { GraphNode, TraceGraph } from '../toolkit/trace/traceGraph';

/** From the editor to the trace graph. */
export type ToTraceGraph =
  /** The whole picture; sent in answer to `ready` and whenever the trace has grown. */
  | { type: 'show'; graph: TraceGraph; selected: number | undefined }
  /** Something was selected elsewhere. */
  | { type: 'select'; node: number };

/** From the trace graph to the editor. */
export type FromTraceGraph =
  /** It listens now, and has nothing to show yet. */
  | { type: 'ready' }
  /** The user selected a transaction. */
  | { type: 'select'; node: number }
  /** The user asked for the transaction's document. */
  | { type: 'open'; node: number }
  /** The user asked for a file. The picture is drawn in the webview; the others are made of the model. */
  | { type: 'export'; format: 'svg'; text: string }
  | { type: 'export'; format: 'mermaid' | 'json' };

/** Whether a message from the webview is one of ours: it comes from outside and is not trusted. */
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
