import type { JSX, TargetedMouseEvent } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PageNode, TracePage } from '../../protocol/tracePage';
import { failedOutcome, formatInteger } from '../../protocol/tracePage';
import { Arrows } from './arrows';
import type { Item } from './foldNodes';
import { Legend, arrowWidth, heat } from './legend';
import { More, moreOf, moreWidth } from './more';
import { nodeClasses } from './foldNodes';
import type { DrawnProperties, Measure, PictureProperties } from './pageText';
import {
  accountOf,
  arrowValue,
  comparedLines,
  fitName,
  fitText,
  isCompared,
  itemFee,
  itemValue,
  measureOf,
  shorten,
  spokenName,
} from './pageText';
import type { Camera, Layout, Placed, Region } from './flowLayout';
import {
  Silhouette,
  boxesIn,
  flowEdge,
  flowLabel,
  flowLayout,
  regionOf,
  scalesOf,
  stretchedFrom,
} from './flowLayout';
import { Stage } from './stage';
import { TotalsBar, columnSums, totalsIn } from './totalsBar';

/** Below these zooms, first the labels go, then the boxes' texts, at last the single boxes; never color and place. */
const labelsFrom = 0.55;
const textFrom = 0.35;

/** The messages as a tree: boxes are transactions, lines are messages. */
export function FlowView(properties: PictureProperties): JSX.Element {
  const { page, tree, selected, measure, camera, onCamera, handle } = properties;
  const layout = useMemo(() => flowLayout(tree, isCompared(page)), [page, tree]);
  const current = layout.byItem.get(tree.itemOf[selected] ?? tree.items[0]!);
  const small = useMemo(() => <Silhouette page={page} layout={layout} />, [page, layout]);
  const sums = useMemo(() => columnSums(page, tree, layout, measure), [page, tree, layout, measure]);
  const scale = useMemo(() => scaleOf(page, layout, measure), [page, layout, measure]);
  return (
    <div class="pictured">
      <Stage
        label={`Transactions of ${page.headline}`}
        role="tree"
        activeId={current === undefined ? undefined : `item-${current.item.node}`}
        picture={layout}
        pictureKey={`flow ${page.key}`}
        kept={camera}
        onCamera={onCamera}
        root={layout.placed[0] && around(layout.placed[0], layout)}
        reveal={current && around(current, layout)}
        handle={handle}
        small={small}
        overlay={(now, size) =>
          now.scale < textFrom ? (
            <>
              {now.least === undefined || current === undefined ? null : (
                <SelectionMark {...{ now, box: current, layout }} />
              )}
              <TotalsBar
                {...{ now, size }}
                totals={totalsIn(sums, layout, regionOf(now, size), scalesOf(now).x, page.coin)}
              />
            </>
          ) : null
        }
      >
        {(region, now) => {
          const zoom = now.scale;
          if (zoom < stretchedFrom) {
            const isStretched = now.least !== undefined;
            return (
              <>
                <g class="distant" onClick={(event) => pick(event, layout, now, properties.onSelect)}>
                  <rect class="ground" width={layout.width} height={layout.height} />
                  {small}
                </g>
                {current === undefined ? null : (
                  <Box {...{ box: current, layout, properties, scale, zoom, isStretched }} />
                )}
              </>
            );
          }
          const inSight = boxesIn(layout, region);
          const boxes = current === undefined || inSight.includes(current) ? inSight : [...inSight, current];
          return <FlowParts {...{ boxes, layout, properties, scale, zoom }} />;
        }}
      </Stage>
      <Legend {...{ page, tree, measure }} picture="flow" />
    </div>
  );
}

/** A box with its message's label. */
function around({ x, y }: Placed, { boxWidth, boxHeight }: Layout): Region {
  return { left: x - 16, right: x + boxWidth + 60, top: y - boxHeight - 8, bottom: y + boxHeight + 16 };
}

interface Parts {
  layout: Layout;
  properties: DrawnProperties;
  scale: (item: Item) => number;
  zoom: number;
}

/** Lines and boxes; also the exported picture. */
export function FlowParts({ boxes, ...parts }: Parts & { boxes: readonly Placed[] }): JSX.Element {
  const { layout } = parts;
  return (
    <>
      <Arrows />
      <g aria-hidden="true">
        {edgesOf(boxes, layout).map((box) => (
          <Edge key={box.item.node} box={box} {...parts} />
        ))}
      </g>
      {boxes.map((box) => (
        <Box key={box.item.node} box={box} {...parts} />
      ))}
    </>
  );
}

/** An item's share of the largest amount, 0 to 1: roots, because few large ones would make all others hairlines. */
export function scaleOf(page: TracePage, layout: Layout, measure: Measure): (item: Item) => number {
  const amounts = new Map(layout.placed.map(({ item }) => [item, measureOf(page, item, measure)]));
  const largest = [...amounts.values()].reduce((most, amount) => Math.max(most, amount), 0);
  return (item) => (largest === 0 ? 0 : Math.sqrt((amounts.get(item) ?? 0) / largest));
}

/** Pixels around the pointer in which a box that is too small to be hit is looked for. */
const reach = 6;

/** Selects the box under the pointer, or the nearest: far away, many are one path. */
function pick(
  { currentTarget, clientX, clientY }: TargetedMouseEvent<SVGGElement>,
  layout: Layout,
  camera: Camera,
  onSelect: (node: number) => void,
): void {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(currentTarget.getScreenCTM()?.inverse());
  const scale = scalesOf(camera);
  const [wide, high] = [reach / scale.x, reach / scale.y];
  const box = nearest(
    boxesIn(layout, { left: x - wide, right: x + wide, top: y - high, bottom: y + high }),
    (one) =>
      Math.hypot(
        outside(x, one.x, one.x + layout.boxWidth) * scale.x,
        outside(y, one.y, one.y + layout.boxHeight) * scale.y,
      ),
  );
  if (box !== undefined) {
    onSelect(box.item.node);
  }
}

/** How far a place is from a range. */
function outside(at: number, from: number, to: number): number {
  return Math.max(0, from - at, at - to);
}

function nearest(boxes: readonly Placed[], distance: (box: Placed) => number): Placed | undefined {
  let [best, least] = [undefined as Placed | undefined, Infinity];
  for (const box of boxes) {
    const far = distance(box);
    if (far < least) {
      [best, least] = [box, far];
    }
  }
  return best;
}

/** The frame of the selected box where the picture is stretched, in pixels of the window. */
function SelectionMark({ now, box, layout }: { now: Camera; box: Placed; layout: Layout }): JSX.Element {
  const { x, y } = scalesOf(now);
  const [width, height] = [Math.max(8, layout.boxWidth * x + 4), Math.max(8, layout.boxHeight * y + 4)];
  const left = now.x + (box.x + layout.boxWidth / 2) * x - width / 2;
  const top = now.y + (box.y + layout.boxHeight / 2) * y - height / 2;
  return <rect class="ring" aria-hidden="true" x={left} y={top} width={width} height={height} rx="3" />;
}

/** Lines to boxes that are in sight, and from them to some that are not. */
function edgesOf(boxes: readonly Placed[], { byItem }: Layout): Placed[] {
  const edges = new Set<Placed>();
  for (const box of boxes) {
    if (box.item.parent !== undefined) {
      edges.add(box);
    }
    for (const child of box.item.children.slice(0, 50)) {
      const placed = byItem.get(child);
      if (placed !== undefined) {
        edges.add(placed);
      }
    }
  }
  return [...edges];
}

function Edge({ box, layout, properties, scale, zoom }: Parts & { box: Placed }): JSX.Element | null {
  const { page, measure } = properties;
  const { item } = box;
  const parent = item.parent === undefined ? undefined : layout.byItem.get(item.parent);
  const node = page.nodes[item.node];
  if (parent === undefined || node === undefined) {
    return null;
  }
  const failed = failedOutcome(node.outcome);
  const label = flowLabel(box);
  const width = measure === 'value' ? arrowWidth(scale(item)) : 1;
  return (
    <g class={`edge ${nodeClasses(node, false, false)}`}>
      <path
        d={flowEdge(parent, box, layout)}
        stroke-width={width}
        marker-end={`url(#arrow${failed ? '-failed' : ''})`}
      />
      {zoom >= labelsFrom ? (
        <>
          <text class="message" x={label.x} y={label.y}>
            {shorten(node.message, 26)}
          </text>
          <text class="value" x={label.x} y={label.y + 13}>
            {shorten(arrowValue(page, item), 26)}
          </text>
          <title>{`${node.message} ${itemValue(page, item)}`.trim()}</title>
        </>
      ) : null}
    </g>
  );
}

function Box({
  box,
  layout,
  properties,
  scale,
  zoom,
  isStretched = false,
}: Parts & { box: Placed; isStretched?: boolean }): JSX.Element | null {
  const { page, tree, selected, hits, collapsed, measure, onSelect, onOpen, onToggle } = properties;
  const { item } = box;
  const { boxWidth, boxHeight } = layout;
  const node = page.nodes[item.node];
  if (node === undefined) {
    return null;
  }
  const isSelected = tree.itemOf[selected] === item;
  const isFold = item.members.length > 1;
  const hasMore = item.children.length > 0 || item.hidden > 0 || isFold;
  const siblings = item.parent?.children ?? [item];
  const { letter } = accountOf(page, node);
  const mark = item.isMixed ? '' : letter;
  const share = measure === 'value' ? 0 : scale(item);
  const classes = nodeClasses(
    node,
    isSelected,
    item.members.some((member) => hits.has(member)),
  );
  return (
    <g
      id={`item-${item.node}`}
      class={`box ${classes}${zoom < textFrom ? ' far' : ''}`}
      role="treeitem"
      aria-level={item.depth + 1}
      aria-selected={isSelected}
      aria-expanded={hasMore ? item.children.length > 0 && !collapsed.has(item.node) : undefined}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(item) + 1}
      onClick={() => onSelect?.(isSelected ? selected : item.node)}
      onDblClick={() => (hasMore && item.children.length === 0 ? onToggle?.(item.node) : onOpen?.(item.node))}
    >
      {isSelected && !isStretched ? (
        <rect class="ring" x={box.x - 4} y={box.y - 4} width={boxWidth + 8} height={boxHeight + 8} rx="7" />
      ) : null}
      {isFold ? (
        <rect class="frame behind" x={box.x + 5} y={box.y + 5} width={boxWidth} height={boxHeight} rx="4" />
      ) : null}
      <rect class="frame" x={box.x} y={box.y} width={boxWidth} height={boxHeight} rx="4" />
      {share > 0 ? (
        <rect
          class="heat"
          x={box.x}
          y={box.y}
          width={boxWidth}
          height={boxHeight}
          rx="4"
          opacity={heat(share)}
        />
      ) : null}
      {zoom >= textFrom ? (
        <g aria-hidden="true">
          <text class="letter" x={box.x + 10} y={box.y + 16}>
            {mark}
          </text>
          <text class="name" x={box.x + 10 + (mark === '' ? 0 : 9 * mark.length + 6)} y={box.y + 16}>
            {fitName(page, item, boxWidth - 26 - 9 * mark.length)}
          </text>
          {linesOf(node, measure, page, item, boxWidth).map((line, index) => (
            <text
              key={index}
              class={index === 0 ? 'result' : 'result more-changed'}
              x={box.x + 10}
              y={box.y + 33 + index * 16}
            >
              {line}
            </text>
          ))}
        </g>
      ) : null}
      {isStretched ? null : <BoxMore {...{ box, layout, zoom, properties }} />}
      <title>{spokenName(page, item)}</title>
    </g>
  );
}

/** At the lower edge of a box; far away in letters as large as near, and with the sum that the label no longer says. */
function BoxMore({
  box: { item, x, y },
  layout: { boxWidth, boxHeight },
  zoom,
  properties: { page, onToggle, onRefold },
}: Omit<Parts, 'scale'> & { box: Placed }): JSX.Element | null {
  const more = moreOf(item);
  if (more === undefined || (more.isOpened && zoom < textFrom)) {
    return null;
  }
  const isFar = zoom < labelsFrom;
  const value = isFar && !more.isOpened ? itemValue(page, item) : '';
  const text = value === '' ? more.count : `${more.count}, ${value}`;
  return (
    <More
      x={x + boxWidth - (isFar ? 48 : moreWidth(text) + 6)}
      y={y + boxHeight + 2}
      text={text}
      scale={isFar ? 1 / zoom : 1}
      onPress={() => (more.isOpened ? onRefold?.(item) : onToggle?.(item.node))}
    />
  );
}

/** What a box says besides its name: the result, what changed against the other trace, or the amount it is colored by. */
function linesOf(node: PageNode, measure: Measure, page: TracePage, item: Item, width: number): string[] {
  return node.difference === undefined
    ? [`${node.symbol} ${fitText(resultOf(node, measure, page, item), width - 28)}`]
    : comparedLines(page, item, node, measure, 35);
}

function resultOf(node: PageNode, measure: Measure, page: TracePage, item: Item): string {
  if (measure === 'gas') {
    return `gas ${formatInteger(measureOf(page, item, 'gas'))}`;
  }
  if (measure === 'fee') {
    return `fee ${itemFee(page, item)}`;
  }
  return node.change === '' || failedOutcome(node.outcome) ? node.result : node.change;
}
