import type { Item, ItemTree } from './foldNodes';
import type { Layout, Placed } from './placed';

/** Fixed sizes: the layout needs no measuring, and culling is arithmetic. */
const sizes = { boxWidth: 190, boxHeight: 40, levelPitch: 88, columnPitch: 222 };
/** Of what is compared: two more values in each box, and one more line. */
const comparedSizes = { boxWidth: 270, boxHeight: 57, levelPitch: 105, columnPitch: 302 };
/** Lines arrive here, left of their labels. */
const portX = 18;

/**
 * Depth downward, siblings to the right; the first child stands below its parent, so that a trace always begins in the
 * upper left corner, and a chain of messages is read downward like a text. (d3-hierarchy centers parents instead, and
 * takes seconds for chains of thousands.)
 */
export function flowLayout({ items }: ItemTree, isCompared = false): Layout {
  const { boxWidth, boxHeight, levelPitch, columnPitch } = isCompared ? comparedSizes : sizes;
  const placed: Placed[] = [];
  const byItem = new Map<Item, Placed>();
  const levels: Placed[][] = [];
  let column = 0;
  let previous: Item | undefined;
  for (const item of items) {
    // In tree order, whatever is not the first child of the item before it begins a column.
    if (previous !== undefined && item.parent !== previous) {
      column++;
    }
    previous = item;
    const box = { item, x: column * columnPitch, y: item.depth * levelPitch };
    placed.push(box);
    byItem.set(item, box);
    (levels[item.depth] ??= []).push(box);
  }
  return {
    ...{ placed, byItem, levels, levelPitch, boxWidth, boxHeight, columnPitch },
    width: placed.length === 0 ? 0 : column * columnPitch + boxWidth,
    height: levels.length === 0 ? 0 : (levels.length - 1) * levelPitch + boxHeight,
  };
}

/** The line of a message from the sender's box to the receiver's; its last part is straight. */
export function flowEdge(parent: Placed, child: Placed, { boxHeight }: Layout): string {
  const fromX = parent.x + portX;
  const fromY = parent.y + boxHeight;
  const toX = child.x + portX;
  const toY = child.y - 2;
  if (fromX === toX) {
    return `M${fromX},${fromY}V${toY}`;
  }
  const busY = fromY + 10;
  return `M${fromX},${fromY}Q${fromX},${busY} ${fromX + 12},${busY}H${toX - 12}Q${toX},${busY} ${toX},${busY + 12}V${toY}`;
}

/** Where the label of a message stands: right of the end of its line. */
export function flowLabel(child: Placed): { x: number; y: number } {
  return { x: child.x + portX + 10, y: child.y - 20 };
}
