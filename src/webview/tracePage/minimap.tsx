import type { ComponentChildren, JSX } from 'preact';
import type { Size } from './camera';
import type { Region } from './placed';

const most: Size = { width: 150, height: 100 };

interface MinimapProperties {
  picture: Size;
  /** What the window shows. */
  region: Region;
  /** A click or drag wants this point of the picture in the middle. */
  onMove: (x: number, y: number) => void;
  children: ComponentChildren;
}

/** A picture thousands of rows high would be a hairline: then the two directions have scales of their own. */
function minimapSize(picture: Size): Size & { scaleX: number; scaleY: number } {
  const scale = Math.min(most.width / picture.width, most.height / picture.height);
  const scaleX = Math.max(scale, Math.min(most.width, 24) / picture.width);
  const scaleY = Math.max(scale, Math.min(most.height, 24) / picture.height);
  return { width: picture.width * scaleX, height: picture.height * scaleY, scaleX, scaleY };
}

/** The part of a window that a minimap in its corner leaves free at the bottom. */
export function besideMinimap(picture: Size, size: Size): Size {
  const covered = minimapSize(picture).height + 24;
  return { width: size.width, height: Math.max(size.height / 2, size.height - covered) };
}

/** The whole picture in a corner; the part that is in sight is framed. The keyboard moves by selecting instead. */
export function Minimap({ picture, region, onMove, children }: MinimapProperties): JSX.Element {
  const { width, height, scaleX, scaleY } = minimapSize(picture);
  const move = (event: PointerEvent): void => {
    if (event.buttons === 0 || !(event.currentTarget instanceof Element)) {
      return;
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    const frame = event.currentTarget.getBoundingClientRect();
    onMove((event.clientX - frame.left) / scaleX, (event.clientY - frame.top) / scaleY);
  };
  const left = Math.max(0, region.left * scaleX);
  const top = Math.max(0, region.top * scaleY);
  return (
    <svg
      class="minimap"
      aria-hidden="true"
      width={width}
      height={height}
      onPointerDown={move}
      onPointerMove={move}
    >
      <g transform={`scale(${scaleX} ${scaleY})`}>{children}</g>
      <rect
        class="sight"
        x={left}
        y={top}
        width={Math.max(4, Math.min(width, region.right * scaleX) - left)}
        height={Math.max(4, Math.min(height, region.bottom * scaleY) - top)}
      />
    </svg>
  );
}
