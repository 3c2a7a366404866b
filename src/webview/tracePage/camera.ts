import type { Region } from './placed';

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
export interface OpeningParts {
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

/** Moves a picture just enough to make a part of it visible. */
export function revealing(now: Camera, part: Region | undefined, size: Size): Camera {
  if (part === undefined) {
    return now;
  }
  const scale = scalesOf(now);
  const left = now.x + part.left * scale.x;
  const right = now.x + part.right * scale.x;
  const top = now.y + part.top * scale.y;
  const bottom = now.y + part.bottom * scale.y;
  const x = left < 0 ? now.x - left : right > size.width ? now.x - (right - size.width) : now.x;
  const y = top < 0 ? now.y - top : bottom > size.height ? now.y - (bottom - size.height) : now.y;
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
