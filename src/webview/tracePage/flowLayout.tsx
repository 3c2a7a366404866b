import type { JSX } from 'preact';
import type { TracePage } from '../../protocol/tracePage';
import type { Item, ItemTree } from './foldNodes';

/**
 * All boxes and lines as a few paths: what is left of a picture that is far away, and its minimap. A path with ten
 * thousand parts is drawn at once, where ten thousand elements would not be.
 */
export function Silhouette({ page, layout }: { page: TracePage; layout: Layout }): JSX.Element {
  const { boxWidth, boxHeight } = layout;
  const paths = new Map<string, string[]>();
  const lines: string[] = [];
  for (const { item, x, y } of layout.placed) {
    const node = page.nodes[item.node];
    const kind = node?.isEmulated === true ? 'emulated' : (node?.outcome ?? 'unknown');
    let parts = paths.get(kind);
    if (parts === undefined) {
      parts = [];
      paths.set(kind, parts);
    }
    parts.push(`M${x},${y}h${boxWidth}v${boxHeight}h${-boxWidth}Z`);
    const parent = item.parent === undefined ? undefined : layout.byItem.get(item.parent);
    if (parent !== undefined) {
      lines.push(`M${parent.x},${parent.y + boxHeight}V${y - boxHeight / 2}L${x},${y}`);
    }
  }
  return (
    <g class="silhouette" aria-hidden="true">
      <path class="lines" d={lines.join('')} />
      {[...paths].map(([kind, parts]) => (
        <path key={kind} class={`boxes ${kind}`} d={parts.join('')} />
      ))}
    </g>
  );
}

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

/** The visible part of a picture: its offset in pixels, and the zoom. */
export interface Camera {
  x: number;
  y: number;
  /** The zoom; of a stretched picture, that of the more reduced direction. */
  scale: number;
  /**
   * Below these the directions are not reduced: all of a picture thousands of boxes wide would be a hairline. Closer,
   * both have the same zoom again.
   */
  least?: Scales | undefined;
}

/** The zooms of both directions. */
export interface Scales {
  x: number;
  y: number;
}

/** A size in pixels. */
export interface Size {
  width: number;
  height: number;
}

const smallest = 0.02;
/** From here on, pictures draw no single boxes and texts: what is drawn can be stretched. */
export const stretchedFrom = 0.15;
const largest = 2.5;
const margin = 24;

/** The zooms of a picture's directions; the same ones unless it is stretched. */
export function scalesOf({ scale, least }: Camera): Scales {
  return { x: Math.max(scale, least?.x ?? 0), y: Math.max(scale, least?.y ?? 0) };
}

/** Zooms around a point in the window. */
export function zoomed(now: Camera, factor: number, at: { x: number; y: number }): Camera {
  const scale = Math.min(largest, Math.max(Math.min(smallest, now.scale), now.scale * factor));
  const [before, after] = [scalesOf(now), scalesOf({ ...now, scale })];
  return {
    ...{ ...now, scale },
    x: at.x - ((at.x - now.x) * after.x) / before.x,
    y: at.y - ((at.y - now.y) * after.y) / before.y,
  };
}

/** All of a picture of this size; what would be too small to see in one direction is stretched in it. */
export function fitting(picture: Size, size: Size): Camera {
  const wanted = {
    x: Math.min(1, (size.width - 2 * margin) / picture.width),
    y: Math.min(1, (size.height - 2 * margin) / picture.height),
  };
  const scale = Math.min(wanted.x, wanted.y);
  const isEven = scale >= stretchedFrom;
  const least = { x: Math.min(wanted.x, stretchedFrom), y: Math.min(wanted.y, stretchedFrom) };
  const used = isEven ? { x: scale, y: scale } : least;
  const middle = (space: number, length: number): number => Math.max(margin, (space - length) / 2);
  return {
    x: middle(size.width, picture.width * used.x),
    y: middle(size.height, picture.height * used.y),
    ...{ scale, ...(isEven ? {} : { least }) },
  };
}

/** Smaller than these, a picture is not read: all of it, and the two parts that are looked for first. */
const readable = 0.6;
const leastReadable = 0.4;

/** What a picture is opened at. */
interface OpeningParts {
  /** Where the trace begins. */
  root: Region | undefined;
  /** What is selected: at first, what the verdict is about. */
  current: Region | undefined;
}

/**
 * All of a picture if it is readable; else its root with what is selected, as large as both fit; and if they are too far
 * apart, what is selected.
 */
export function opening(picture: Size, size: Size, { root, current }: OpeningParts): Camera {
  const all = fitting(picture, size);
  if (all.scale >= readable) {
    return all;
  }
  const both = joined(root, current);
  const scale =
    both === undefined
      ? 1
      : Math.min(1, size.width / (both.right - both.left), size.height / (both.bottom - both.top));
  return scale < leastReadable
    ? revealing({ x: margin, y: margin, scale: 1 }, current, size)
    : revealing({ x: margin, y: margin, scale }, both, size);
}

function joined(a: Region | undefined, b: Region | undefined): Region | undefined {
  return a === undefined || b === undefined
    ? (a ?? b)
    : {
        left: Math.min(a.left, b.left),
        top: Math.min(a.top, b.top),
        right: Math.max(a.right, b.right),
        bottom: Math.max(a.bottom, b.bottom),
      };
}

/** Moves a picture just enough to make a part of it visible; of one that is too large, where it begins. */
export function revealing(now: Camera, part: Region | undefined, size: Size): Camera {
  if (part === undefined) {
    return now;
  }
  const scale = scalesOf(now);
  const left = now.x + part.left * scale.x;
  const right = now.x + part.right * scale.x;
  const top = now.y + part.top * scale.y;
  const bottom = now.y + part.bottom * scale.y;
  const x = left < 0 ? now.x - left : right > size.width ? now.x - Math.min(left, right - size.width) : now.x;
  const y =
    top < 0 ? now.y - top : bottom > size.height ? now.y - Math.min(top, bottom - size.height) : now.y;
  return x === now.x && y === now.y ? now : { ...now, x, y };
}

/** Moves a part of a picture to the middle of the window. */
export function centered(now: Camera, { left, top, right, bottom }: Region, size: Size): Camera {
  const scale = scalesOf(now);
  return {
    ...now,
    x: size.width / 2 - ((left + right) / 2) * scale.x,
    y: size.height / 2 - ((top + bottom) / 2) * scale.y,
  };
}

/** What a window of this size shows of the picture. */
export function regionOf(camera: Camera, size: Size): Region {
  const { x, y } = camera;
  const scale = scalesOf(camera);
  return {
    left: -x / scale.x,
    top: -y / scale.y,
    right: (size.width - x) / scale.x,
    bottom: (size.height - y) / scale.y,
  };
}
