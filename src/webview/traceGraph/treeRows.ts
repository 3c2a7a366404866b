import type { GraphNode } from '../../protocol/traceGraph';
import type { Layout, Placed } from './layout';

/**
 * The nodes of the table in order, without coordinates. Unlike the graph it has no maximum depth, and needs only one
 * pass: the nodes are already depth first.
 */
export function treeRows(nodes: readonly GraphNode[], collapsed: ReadonlySet<number>): Layout {
  const placed: Placed[] = [];
  const byNode = new Map<number, Placed>();
  /** The collapsed row that counts a hidden node. */
  const hiddenAt = new Array<Placed | undefined>(nodes.length);
  nodes.forEach((node, index) => {
    const parent = byNode.get(node.parent);
    const counter =
      hiddenAt[node.parent] ?? (parent !== undefined && collapsed.has(node.parent) ? parent : undefined);
    if (counter !== undefined) {
      counter.hidden++;
      hiddenAt[index] = counter;
      return;
    }
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const row: Placed = { node: index, parent, children: [], x: 0, y: 0, depth, hidden: 0 };
    parent?.children.push(row);
    placed.push(row);
    byNode.set(index, row);
  });
  return { placed, byNode, columns: [], width: 0, height: 0 };
}
