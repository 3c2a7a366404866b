import type { JSX, RefObject } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { GraphNode } from '../../protocol/traceGraph';
import { beginning, fitting, revealing, zoomed } from './camera';
import type { Camera, Size } from './camera';
import { boxHeight, boxWidth, boxesIn, edgePath } from './layout';
import type { Placed } from './layout';
import { shorten } from './shorten';
import { spokenName } from './viewProperties';
import type { ViewProperties } from './viewProperties';

/** What the toolbar and the keyboard can do with the graph. */
export interface GraphHandle {
  /** `+`, `-`, `0`; returns whether the key was one of them. */
  onKey(key: string): boolean;
}

/** Below this zoom, text would be noise: only boxes and lines are drawn. */
const textFrom = 0.35;

/** The graph: visible boxes and lines, moved by pointer, wheel, and keyboard. */
export function GraphView(
  properties: ViewProperties & { handle: RefObject<GraphHandle | null> },
): JSX.Element {
  const { graph, layout, selected, hits, handle } = properties;
  const svg = useRef<SVGSVGElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const isMeasured = size.width > 0;
  const [camera, setCamera] = useState<Camera>({ x: 24, y: 24, scale: 1 });
  const { dragging, ...pointer } = useDragging(setCamera);

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
      setCamera((now) => wheeled(now, event, element.getBoundingClientRect()));
    };
    // Preact's wheel listeners are passive in Chromium: the page would scroll too.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', onWheel);
    };
  }, []);

  // A new trace is shown from its beginning; a growing one keeps its position.
  useEffect(() => setCamera(beginning(layout, size)), [graph.key, isMeasured]);
  useEffect(
    () => setCamera((now) => (isMeasured ? revealing(now, layout.byNode.get(selected), size) : now)),
    [selected, layout, size],
  );

  useImperativeHandle(handle, () => ({
    onKey: (key) => {
      const center = { x: size.width / 2, y: size.height / 2 };
      if (key === '+' || key === '=') {
        setCamera((now) => zoomed(now, 1.25, center));
      } else if (key === '-') {
        setCamera((now) => zoomed(now, 0.8, center));
      } else if (key === '0') {
        setCamera(fitting(layout, size));
      } else {
        return false;
      }
      return true;
    },
  }));

  const region = {
    left: -camera.x / camera.scale,
    top: -camera.y / camera.scale,
    right: (size.width - camera.x) / camera.scale,
    bottom: (size.height - camera.y) / camera.scale,
  };
  const inSight = boxesIn(layout, region);
  const current = layout.byNode.get(selected);
  const boxes = current === undefined || inSight.includes(current) ? inSight : [...inSight, current];
  const found = new Set(hits);
  const withText = camera.scale >= textFrom;
  return (
    <svg
      ref={svg}
      class={`graph${dragging ? ' dragging' : ''}${withText ? '' : ' far'}`}
      role="tree"
      aria-label={`Transactions of ${graph.headline}`}
      tabindex={0}
      aria-activedescendant={current === undefined ? undefined : `node-${selected}`}
      {...pointer}
    >
      <defs>
        <Arrow id="arrow" />
        <Arrow id="arrow-failed" />
      </defs>
      <g transform={`translate(${camera.x} ${camera.y}) scale(${camera.scale})`}>
        <g aria-hidden="true">
          {edgesOf(boxes).map((box) => (
            <Edge key={box.node} box={box} node={graph.nodes[box.node]} withText={withText} />
          ))}
        </g>
        {boxes.map((box) => (
          <Box
            key={box.node}
            box={box}
            properties={properties}
            isSelected={box.node === selected}
            isFound={found.has(box.node)}
            withText={withText}
          />
        ))}
      </g>
    </svg>
  );
}

/** The arrowhead of a message's line. */
function Arrow({ id }: { id: string }): JSX.Element {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="8"
      refY="4"
      markerWidth="8"
      markerHeight="8"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path d="M0,0.5L8,4L0,7.5Z" />
    </marker>
  );
}

/** Lines to visible boxes, and from them to some of their invisible children. */
function edgesOf(boxes: readonly Placed[]): Placed[] {
  const edges = new Set<Placed>();
  for (const box of boxes) {
    if (box.parent !== undefined) {
      edges.add(box);
    }
    for (const child of box.children.slice(0, 50)) {
      edges.add(child);
    }
  }
  return [...edges];
}

function Edge({
  box,
  node,
  withText,
}: {
  box: Placed;
  node: GraphNode | undefined;
  withText: boolean;
}): JSX.Element | null {
  if (box.parent === undefined || node === undefined) {
    return null;
  }
  const failed = node.outcome === 'failed' || node.outcome === 'partial';
  return (
    <g class={`edge${failed ? ' failed' : ''}${node.isBounced ? ' bounced' : ''}`}>
      <path d={edgePath(box.parent, box)} marker-end={`url(#arrow${failed ? '-failed' : ''})`} />
      {withText ? (
        <>
          <text class="message" x={box.x - 8} y={box.y - 4}>
            {shorten(node.message, 24)}
          </text>
          <text class="value" x={box.x - 8} y={box.y + 13}>
            {node.value}
          </text>
        </>
      ) : null}
    </g>
  );
}

interface BoxProperties {
  box: Placed;
  properties: ViewProperties;
  isSelected: boolean;
  isFound: boolean;
  withText: boolean;
}

function Box({ box, properties, isSelected, isFound, withText }: BoxProperties): JSX.Element | null {
  const { graph, onSelect, onOpen, onToggle, collapsed } = properties;
  const node = graph.nodes[box.node];
  if (node === undefined) {
    return null;
  }
  const hasChildren = box.children.length > 0 || box.hidden > 0;
  const siblings = box.parent?.children ?? [box];
  const top = box.y - boxHeight / 2;
  return (
    <g
      id={`node-${box.node}`}
      class={`box ${node.outcome}${node.isEmulated ? ' emulated' : ''}${isSelected ? ' selected' : ''}${isFound ? ' found' : ''}`}
      role="treeitem"
      aria-level={box.depth + 1}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? !collapsed.has(box.node) : undefined}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(box) + 1}
      onClick={() => onSelect(box.node)}
      onDblClick={() => onOpen(box.node)}
    >
      {isSelected ? (
        <rect class="ring" x={box.x - 4} y={top - 4} width={boxWidth + 8} height={boxHeight + 8} rx="7" />
      ) : null}
      <rect class="frame" x={box.x} y={top} width={boxWidth} height={boxHeight} rx="4" />
      {withText ? (
        <g aria-hidden="true">
          <text class="letter" x={box.x + 10} y={box.y - 4}>
            {node.letter}
          </text>
          <text class="name" x={box.x + 10 + 9 * node.letter.length + 6} y={box.y - 4}>
            {shorten(node.name, 21 - node.letter.length)}
          </text>
          <text class="result" x={box.x + 10} y={box.y + 13}>
            {`${node.symbol} ${shorten(node.result, 27)}`}
          </text>
        </g>
      ) : null}
      {hasChildren && (collapsed.has(box.node) || box.hidden > 0) ? (
        <g class="more" aria-hidden="true" onClick={(event) => (event.stopPropagation(), onToggle(box.node))}>
          <rect x={box.x + boxWidth + 4} y={box.y - 10} width="44" height="20" rx="10" />
          <text x={box.x + boxWidth + 26} y={box.y + 4}>
            {`+${box.hidden}`}
          </text>
        </g>
      ) : null}
      <title>{spokenName(graph, box.node)}</title>
    </g>
  );
}

/** Dragging moves the graph; the listeners for the drawing's element. */
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
