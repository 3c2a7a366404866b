import type { GraphNode } from '../../protocol/traceGraph';
import type { Layout, Placed } from './layout';

/**
 * The nodes of the table in its order, without coordinates. Unlike the picture it has no deepest level, and costs
 * nothing but a walk: the nodes already stand depth first.
 */
export function treeRows(nodes: readonly GraphNode[], collapsed: ReadonlySet<number>): Layout {
  const placed: Placed[] = [];
  const byNode = new Map<number, Placed>();
  /** The collapsed row that a hidden node is counted at. */
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
