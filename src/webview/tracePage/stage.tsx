import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Camera, Region, Size } from './flowLayout';
import { centered, fitting, opening, regionOf, revealing, scalesOf, zoomed } from './flowLayout';

/** What the toolbar and the keyboard can do with a picture. */
export interface StageHandle {
  /** `+`, `-`, `0`; returns whether the key was one of them. */
  onKey(key: string): boolean;
  /** Moves the selection to the middle, and the focus to the picture. */
  center(): void;
}

interface StageProperties {
  /** For screen readers. */
  label: string;
  role: 'tree' | 'img' | 'group';
  activeId: string | undefined;
  /** Another object when it has grown. */
  picture: Size;
  /** Another picture begins where this camera says, or else as {@link opening} does. */
  pictureKey: string;
  kept: Camera | undefined;
  /** Called once the user has moved the picture; until then it is opened anew when it or the window changes. */
  onCamera: (camera: Camera) => void;
  /** Where the trace begins. */
  root?: Region | undefined;
  /** The room that the picture leaves free above itself when it is opened; without it, it is in the middle. */
  top?: number;
  /** The part that must be visible after it has changed. */
  reveal: Region | undefined;
  handle: RefObject<StageHandle | null>;
  /** The whole picture in small; without it there is no minimap. */
  small: ComponentChildren;
  children: (region: Region, camera: Camera) => ComponentChildren;
  /** Drawn over the picture, in pixels of the window. */
  overlay?: (camera: Camera, size: Size) => ComponentChildren;
}

/** A picture that is moved by pointer, wheel, and keyboard, with a minimap if it is larger than the window. */
export function Stage(properties: StageProperties): JSX.Element {
  const { label, role, activeId, picture, pictureKey, kept, onCamera, reveal, handle, small } = properties;
  const { root, top } = properties;
  const svg = useRef<SVGSVGElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const isMeasured = size.width > 0;
  const [camera, setCamera] = useState<Camera>(kept ?? { x: 24, y: 24, scale: 1 });
  const { dragging, ...pointer } = useDragging(setCamera);
  const isTouched = useRef(kept !== undefined);
  const shownKey = useRef(pictureKey);
  const touch = (): void => {
    isTouched.current = true;
  };

  useLayoutEffect(() => {
    const element = svg.current;
    if (element === null) {
      return undefined;
    }
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      touch();
      setCamera((now) => wheeled(now, event, element.getBoundingClientRect()));
    };
    // Preact's wheel listeners are passive in Chromium: the page would scroll too.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', onWheel);
    };
  }, []);

  // A picture that the user has moved stays where it is, also while it grows.
  useLayoutEffect(() => {
    if (shownKey.current !== pictureKey) {
      shownKey.current = pictureKey;
      isTouched.current = kept !== undefined;
      setCamera((now) => kept ?? now);
    }
    if (isMeasured && !isTouched.current) {
      const opened = opening(picture, size, { root, current: reveal });
      setCamera(top === undefined ? opened : { ...opened, y: Math.min(opened.y, top) });
    }
  }, [pictureKey, isMeasured, picture, size]);
  useEffect(
    () =>
      setCamera((now) => {
        const isCovered = small !== undefined && !isAllIn(picture, regionOf(now, size));
        const free = isCovered ? besideMinimap(picture, size) : size;
        return isMeasured ? revealing(now, reveal, free) : now;
      }),
    [reveal?.left, reveal?.top, isMeasured, size],
  );
  useEffect(() => {
    if (isMeasured && isTouched.current) {
      onCamera(camera);
    }
  }, [camera, isMeasured]);

  useImperativeHandle(handle, () => ({
    onKey: (key) => {
      const center = { x: size.width / 2, y: size.height / 2 };
      touch();
      if (key === '+' || key === '=') {
        setCamera((now) => zoomed(now, 1.25, center));
      } else if (key === '-') {
        setCamera((now) => zoomed(now, 0.8, center));
      } else if (key === '0') {
        setCamera(fitting(picture, size));
      } else {
        return false;
      }
      return true;
    },
    center: () => {
      touch();
      svg.current?.focus();
      setCamera((now) => (reveal === undefined ? now : centered(now, reveal, size)));
    },
  }));

  const region = regionOf(camera, size);
  const scale = scalesOf(camera);
  return (
    <div class="stage">
      <svg
        ref={svg}
        class={`picture${dragging ? ' dragging' : ''}`}
        role={role}
        aria-label={label}
        tabindex={0}
        aria-activedescendant={activeId}
        onKeyDown={touch}
        {...pointer}
        onPointerDown={(event) => (touch(), pointer.onPointerDown(event))}
      >
        {isMeasured ? (
          <>
            <g transform={`translate(${camera.x} ${camera.y}) scale(${scale.x} ${scale.y})`}>
              {properties.children(region, camera)}
            </g>
            {properties.overlay?.(camera, size)}
          </>
        ) : null}
      </svg>
      {isMeasured && !isAllIn(picture, region) && small !== undefined ? (
        <Minimap
          picture={picture}
          region={region}
          onMove={(x, y) => {
            touch();
            setCamera((now) => ({
              ...now,
              x: size.width / 2 - x * scalesOf(now).x,
              y: size.height / 2 - y * scalesOf(now).y,
            }));
          }}
        >
          {small}
        </Minimap>
      ) : null}
    </div>
  );
}

function isAllIn({ width, height }: Size, { left, top, right, bottom }: Region): boolean {
  return left <= 0 && top <= 0 && right >= width && bottom >= height;
}

/** Dragging moves the picture; the listeners for the drawing's element. */
function useDragging(setCamera: (change: (now: Camera) => Camera) => void): {
  dragging: boolean;
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: (event: PointerEvent) => void;
} {
  const last = useRef<{ x: number; y: number } | undefined>(undefined);
  const [dragging, setDragging] = useState(false);
  return {
    dragging,
    onPointerDown: (event) => {
      last.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event) => {
      const from = last.current;
      if (from === undefined || event.buttons === 0) {
        return;
      }
      const moved = { x: event.clientX - from.x, y: event.clientY - from.y };
      if (!dragging && Math.abs(moved.x) + Math.abs(moved.y) < 4) {
        return;
      }
      if (!dragging && event.currentTarget instanceof Element) {
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      setDragging(true);
      last.current = { x: event.clientX, y: event.clientY };
      setCamera((now) => ({ ...now, x: now.x + moved.x, y: now.y + moved.y }));
    },
    onPointerUp: () => {
      last.current = undefined;
      setDragging(false);
    },
  };
}

function wheeled(now: Camera, event: WheelEvent, frame: DOMRect): Camera {
  if (event.ctrlKey || event.metaKey) {
    const at = { x: event.clientX - frame.left, y: event.clientY - frame.top };
    return zoomed(now, Math.exp(-event.deltaY / 300), at);
  }
  const sideways = event.shiftKey && event.deltaX === 0;
  return {
    ...now,
    x: now.x - (sideways ? event.deltaY : event.deltaX),
    y: now.y - (sideways ? 0 : event.deltaY),
  };
}

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
function besideMinimap(picture: Size, size: Size): Size {
  const covered = minimapSize(picture).height + 24;
  return { width: size.width, height: Math.max(size.height / 2, size.height - covered) };
}

/** The whole picture in a corner; the part that is in sight is framed. The keyboard moves by selecting instead. */
function Minimap({ picture, region, onMove, children }: MinimapProperties): JSX.Element {
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
