import type { GraphNode } from '../../protocol/traceGraph';

/** Indexes of the nodes matching a text: names, addresses, messages, values, results. Empty for no text. */
export function findNodes(nodes: readonly GraphNode[], text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') {
    return [];
  }
  const found: number[] = [];
  nodes.forEach((node, index) => {
    const fields = [
      node.name,
      node.account,
      node.hash,
      node.message,
      node.opcode,
      node.value,
      node.result,
      node.letter,
    ];
    if (fields.some((field) => field.toLowerCase().includes(wanted))) {
      found.push(index);
    }
  });
  return found;
}
