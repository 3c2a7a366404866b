import type { Region } from './placed';

/** The visible part of a picture: its offset in pixels, and the zoom. */
export interface Camera {
  x: number;
  y: number;
  scale: number;
}

/** A size in pixels. */
export interface Size {
  width: number;
  height: number;
}

const smallest = 0.02;
const smallestFit = 0.05;
const largest = 2.5;
const margin = 24;

/** Zooms around a point in the window. */
export function zoomed(now: Camera, factor: number, at: { x: number; y: number }): Camera {
  const scale = Math.min(largest, Math.max(smallest, now.scale * factor));
  const ratio = scale / now.scale;
  return { scale, x: at.x - (at.x - now.x) * ratio, y: at.y - (at.y - now.y) * ratio };
}

/** All of a picture of this size, as long as its parts can be told apart. */
export function fitting(picture: Size, size: Size): Camera {
  const wanted = Math.min(
    (size.width - 2 * margin) / picture.width,
    (size.height - 2 * margin) / picture.height,
  );
  const scale = Math.min(1, Math.max(smallestFit, wanted));
  const middle = (space: number, used: number): number => Math.max(margin, (space - used * scale) / 2);
  return { scale, x: middle(size.width, picture.width), y: middle(size.height, picture.height) };
}

/** All of it if it is readable, else its upper left corner at full size. */
export function beginning(picture: Size, size: Size): Camera {
  const fit = fitting(picture, size);
  const isReadable = fit.scale >= 0.6;
  return isReadable ? { ...fit, y: Math.min(fit.y, 48) } : { x: margin, y: margin, scale: 1 };
}

/** Moves a picture just enough to make a part of it visible. */
export function revealing(now: Camera, part: Region | undefined, size: Size): Camera {
  if (part === undefined) {
    return now;
  }
  const left = now.x + part.left * now.scale;
  const right = now.x + part.right * now.scale;
  const top = now.y + part.top * now.scale;
  const bottom = now.y + part.bottom * now.scale;
  const x = left < 0 ? now.x - left : right > size.width ? now.x - (right - size.width) : now.x;
  const y = top < 0 ? now.y - top : bottom > size.height ? now.y - (bottom - size.height) : now.y;
  return x === now.x && y === now.y ? now : { ...now, x, y };
}

/** What a window of this size shows of the picture. */
export function regionOf({ x, y, scale }: Camera, size: Size): Region {
  return {
    left: -x / scale,
    top: -y / scale,
    right: (size.width - x) / scale,
    bottom: (size.height - y) / scale,
  };
}
