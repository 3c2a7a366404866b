import type { TraceGraph } from '../../protocol/traceGraph';
import type { Layout } from './layout';

/** Properties of both views. Nodes are indexes of {@link TraceGraph.nodes}. */
export interface ViewProperties {
  graph: TraceGraph;
  layout: Layout;
  selected: number;
  collapsed: ReadonlySet<number>;
  /** Found by the search. */
  hits: readonly number[];
  onSelect: (node: number) => void;
  onOpen: (node: number) => void;
  onToggle: (node: number) => void;
}

/** A node's text for screen readers and tooltips. */
export function spokenName(graph: TraceGraph, node: number): string {
  const { letter, name, message, opcode, value, result, isBounced } = graph.nodes[node] ?? graph.nodes[0]!;
  const code = opcode === message ? '' : opcode;
  const parts = [`${letter} ${name}`, message, code, value, result, isBounced ? 'bounced' : ''];
  return parts.filter((part) => part !== '').join(', ');
}
