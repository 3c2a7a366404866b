import { hierarchy, tree } from 'd3-hierarchy';
import type { GraphNode } from '../../protocol/traceGraph';

/** Fixed sizes: the layout needs no measuring, and culling is arithmetic. */
export const boxWidth = 190;
export const boxHeight = 40;
const columnPitch = 372;
const rowPitch = 56;

/** d3-hierarchy takes 40 ms for a chain of 5,000 and seconds beyond; a graph would be useless there anyway. */
const deepestLevel = 3000;

/** One box. Coordinates are of its left edge and vertical center. */
export interface Placed {
  node: number;
  parent: Placed | undefined;
  children: Placed[];
  x: number;
  y: number;
  depth: number;
  /** Descendants not drawn: it is collapsed, or the graph ends here. */
  hidden: number;
}

export interface Layout {
  placed: Placed[];
  byNode: ReadonlyMap<number, Placed>;
  /** Boxes of each depth from top to bottom. */
  columns: Placed[][];
  width: number;
  height: number;
}

interface Datum {
  node: number;
  children: Datum[];
  hidden: number;
}

/** Places the boxes: depth to the right, siblings downward. Children of `collapsed` nodes are hidden. */
export function layoutGraph(nodes: readonly GraphNode[], collapsed: ReadonlySet<number>): Layout {
  const root = visibleTree(nodes, collapsed);
  const laidOut = tree<Datum>().nodeSize([rowPitch, columnPitch])(hierarchy(root));
  const placed: Placed[] = [];
  const byNode = new Map<number, Placed>();
  const columns: Placed[][] = [];
  let top = Infinity;
  let bottom = -Infinity;
  laidOut.eachBefore((point) => {
    // The artificial root joins several trees; it is not drawn.
    if (point.data.node < 0) {
      return;
    }
    const parent = point.parent === null ? undefined : byNode.get(point.parent.data.node);
    const depth = point.depth - 1;
    const box: Placed = {
      node: point.data.node,
      parent,
      children: [],
      x: depth * columnPitch,
      y: point.x,
      depth,
      hidden: point.data.hidden,
    };
    top = Math.min(top, point.x);
    bottom = Math.max(bottom, point.x);
    parent?.children.push(box);
    placed.push(box);
    byNode.set(box.node, box);
    (columns[depth] ??= []).push(box);
  });
  for (const box of placed) {
    box.y -= top - boxHeight / 2;
  }
  return {
    placed,
    byNode,
    columns,
    width: columns.length === 0 ? 0 : (columns.length - 1) * columnPitch + boxWidth,
    height: placed.length === 0 ? 0 : bottom - top + boxHeight,
  };
}

function visibleTree(nodes: readonly GraphNode[], collapsed: ReadonlySet<number>): Datum {
  const root: Datum = { node: -1, children: [], hidden: 0 };
  const data = new Array<Datum | undefined>(nodes.length);
  const depths = new Int32Array(nodes.length);
  /** The box that counts a hidden node. */
  const counters = new Array<Datum | undefined>(nodes.length);
  nodes.forEach(({ parent }, node) => {
    depths[node] = parent < 0 ? 1 : (depths[parent] ?? 0) + 1;
    const above = parent < 0 ? root : data[parent];
    const counter =
      parent < 0 ? undefined : (counters[parent] ?? (collapsed.has(parent) ? data[parent] : undefined));
    if (counter !== undefined || above === undefined || (depths[node] ?? 0) > deepestLevel) {
      const counting = counter ?? above;
      if (counting !== undefined) {
        counting.hidden++;
        counters[node] = counting;
      }
      return;
    }
    const datum: Datum = { node, children: [], hidden: 0 };
    data[node] = datum;
    above.children.push(datum);
  });
  return root;
}

/** A part of the graph, in its coordinates. */
export interface Region {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The boxes inside a region, found by column: the cost depends on what is visible, not on the size of the trace. */
export function boxesIn(layout: Layout, region: Region): Placed[] {
  const first = Math.max(0, Math.floor((region.left - boxWidth) / columnPitch));
  const last = Math.min(layout.columns.length - 1, Math.floor(region.right / columnPitch));
  const found: Placed[] = [];
  for (let depth = first; depth <= last; depth++) {
    const column = layout.columns[depth] ?? [];
    for (let i = firstBelow(column, region.top - boxHeight); i < column.length; i++) {
      const box = column[i] as Placed;
      if (box.y > region.bottom + boxHeight) {
        break;
      }
      found.push(box);
    }
  }
  return found;
}

function firstBelow(column: readonly Placed[], y: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((column[middle]?.y ?? 0) < y) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The line of a message from the sender's box to the receiver's. */
export function edgePath(parent: Placed, child: Placed): string {
  const fromX = parent.x + boxWidth;
  const bend = fromX + 24;
  return `M${fromX},${parent.y}C${bend},${parent.y} ${fromX},${child.y} ${bend + 12},${child.y}H${child.x - 2}`;
}
