import type { Item } from './foldNodes';

/** An item with its place in a picture: left edge and top of its box. */
export interface Placed {
  item: Item;
  x: number;
  y: number;
}

/** A part of a picture, in its coordinates. */
export interface Region {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A picture's size, and its boxes. */
export interface Layout {
  placed: readonly Placed[];
  byItem: ReadonlyMap<Item, Placed>;
  /** Boxes of each level from left to right. */
  levels: readonly (readonly Placed[])[];
  levelPitch: number;
  columnPitch: number;
  boxWidth: number;
  boxHeight: number;
  width: number;
  height: number;
}

/** The boxes inside a region, found by level: the cost depends on what is visible, not on the size of the trace. */
export function boxesIn({ levels, levelPitch, boxWidth, boxHeight }: Layout, region: Region): Placed[] {
  const first = Math.max(0, Math.floor((region.top - boxHeight) / levelPitch));
  const last = Math.min(levels.length - 1, Math.floor(region.bottom / levelPitch));
  const found: Placed[] = [];
  for (let index = first; index <= last; index++) {
    const level = levels[index] ?? [];
    for (let i = firstFrom(level, region.left - boxWidth); i < level.length; i++) {
      const box = level[i] as Placed;
      if (box.x > region.right) {
        break;
      }
      found.push(box);
    }
  }
  return found;
}

function firstFrom(level: readonly Placed[], x: number): number {
  let low = 0;
  let high = level.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((level[middle]?.x ?? 0) < x) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
