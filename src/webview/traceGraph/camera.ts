import { boxHeight, boxWidth } from './layout';
import type { Layout, Placed } from './layout';

/** The visible part of the graph: its offset in pixels, and the zoom. */
export interface Camera {
  x: number;
  y: number;
  scale: number;
}

/** The size of the window, in pixels. */
export interface Size {
  width: number;
  height: number;
}

const smallest = 0.05;
const smallestFit = 0.12;
const largest = 2.5;

/** Zooms around a point in the window. */
export function zoomed(now: Camera, factor: number, at: { x: number; y: number }): Camera {
  const scale = Math.min(largest, Math.max(smallest, now.scale * factor));
  const ratio = scale / now.scale;
  return { scale, x: at.x - (at.x - now.x) * ratio, y: at.y - (at.y - now.y) * ratio };
}

/** Everything, as long as boxes can be told apart. */
export function fitting(layout: Layout, size: Size): Camera {
  const wanted = Math.min((size.width - 48) / layout.width, (size.height - 48) / layout.height);
  const scale = Math.min(1, Math.max(smallestFit, wanted));
  const middle = (space: number, used: number): number => Math.max(24, (space - used * scale) / 2);
  return { scale, x: middle(size.width, layout.width), y: middle(size.height, layout.height) };
}

/** Everything if it is readable, else its beginning at full size. */
export function beginning(layout: Layout, size: Size): Camera {
  const fit = fitting(layout, size);
  const isReadable = fit.scale >= 0.6 && layout.height * fit.scale <= size.height;
  return isReadable
    ? { ...fit, y: Math.min(fit.y, 48) }
    : { x: 24, y: size.height / 2 - firstRow(layout), scale: 1 };
}

/** Moves the graph just enough to make a box visible. */
export function revealing(now: Camera, box: Placed | undefined, size: Size): Camera {
  if (box === undefined) {
    return now;
  }
  const left = now.x + (box.x - 160) * now.scale;
  const right = now.x + (box.x + boxWidth + 16) * now.scale;
  const top = now.y + (box.y - boxHeight) * now.scale;
  const bottom = now.y + (box.y + boxHeight) * now.scale;
  const x = left < 0 ? now.x - left : right > size.width ? now.x - (right - size.width) : now.x;
  const y = top < 0 ? now.y - top : bottom > size.height ? now.y - (bottom - size.height) : now.y;
  return x === now.x && y === now.y ? now : { ...now, x, y };
}

function firstRow(layout: Layout): number {
  return layout.placed[0]?.y ?? 0;
}
