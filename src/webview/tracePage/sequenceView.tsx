import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TracePage } from '../../protocol/tracePage';
import { failedOutcome } from '../../protocol/tracePage';
import { Arrows } from './arrows';
import type { Item } from './foldNodes';
import { Legend } from './legend';
import type { Lane, SequenceEvent, SequenceLayout } from './more';
import {
  More,
  eventPitch,
  eventsIn,
  eventsTop,
  firstLane,
  lanePitch,
  loopHeight,
  moreOf,
  moreWidth,
  sequenceLayout,
  spanPath,
} from './more';
import { nodeClasses } from './foldNodes';
import type { DrawnProperties, PictureProperties } from './pageText';
import { accountOf, arrowValue, isCompared, itemName, shorten, signOf, spokenName } from './pageText';
import type { Region } from './flowLayout';
import { scalesOf, stretchedFrom } from './flowLayout';
import { Stage } from './stage';

/** Below this zoom texts would be noise. */
const textFrom = 0.45;
/** From this many events, what is far away is drawn without its arrows. */
const mostArrows = 1500;
const headHeight = 26;
/** Pixels of the shortest name of a lifeline. */
const leastHead = 48;
/** Letters of a label between two lifelines, and beside the loop of a message to the own account. */
const labelLetters = 22;
const loopLetters = 18;
/** How far a loop goes to the right of its lifeline. */
const loopWidth = 42;

/** Lifelines over logical time: who sent what to whom, when, and how long it waited. */
export function SequenceView(properties: PictureProperties): JSX.Element {
  const { page, tree, selected, measure, camera, onCamera, handle } = properties;
  const layout = useMemo(() => sequenceLayout(page.nodes, tree), [page, tree]);
  const current = layout.byItem.get(tree.itemOf[selected] ?? tree.items[0]!);
  const small = useMemo(() => <Trail page={page} layout={layout} />, [page, layout]);
  return (
    <div class="pictured">
      <Stage
        label={`Messages of ${page.headline}, in order of time`}
        role="tree"
        activeId={current === undefined ? undefined : `item-${current.item.node}`}
        picture={layout}
        pictureKey={`sequence ${page.key}`}
        kept={camera}
        onCamera={onCamera}
        root={layout.events[0] && around(layout.events[0])}
        reveal={current && around(current)}
        top={headHeight + 8}
        handle={handle}
        small={small}
        overlay={(now, { width }) => {
          const pitch = lanePitch * scalesOf(now).x;
          // Names closer than this would cover each other.
          const step = Math.max(1, Math.ceil(leastHead / pitch));
          return (
            <g class="lane-heads" aria-hidden="true">
              <rect width={width} height={headHeight} />
              {layout.lanes.map((lane, index) => {
                const at = now.x + lane.x * scalesOf(now).x;
                return index % step !== 0 || at < -lanePitch || at > width + lanePitch ? null : (
                  <text key={lane.x} x={at} y={17}>
                    {shorten(laneName(page, lane), Math.max(4, Math.floor((pitch * step) / 9)))}
                    <title>{laneName(page, lane)}</title>
                  </text>
                );
              })}
            </g>
          );
        }}
      >
        {(region, { scale }) => {
          if (scale < stretchedFrom && layout.events.length > mostArrows) {
            return (
              <>
                {small}
                {current === undefined ? null : (
                  <Message event={current} {...{ layout, properties, withText: false }} />
                )}
              </>
            );
          }
          const events = layout.events.length <= mostArrows ? layout.events : eventsIn(layout, region);
          return <SequenceParts {...{ layout, properties, events, withText: scale >= textFrom }} />;
        }}
      </Stage>
      <Legend {...{ page, tree, measure }} picture="sequence" />
    </div>
  );
}

/** A transaction with its message's label, below the whole names of both lifelines. */
function around({ lane, y }: SequenceEvent): Region {
  return {
    ...{ left: Math.max(0, lane.x - lanePitch - firstLane), right: lane.x + lanePitch / 2 },
    ...{ top: y - eventPitch - headHeight, bottom: y + eventPitch },
  };
}

/** Who a lifeline is. */
export function laneName(page: TracePage, { account, item }: Lane): string {
  if (item !== undefined) {
    return itemName(page, item);
  }
  const known = page.accounts[account];
  return known === undefined ? 'outside' : `${known.letter} ${known.name}`;
}

interface Parts {
  layout: SequenceLayout;
  properties: DrawnProperties;
  events: readonly SequenceEvent[];
  withText: boolean;
}

/** Bands, lifelines, and messages; also the exported picture. */
export function SequenceParts({ layout, properties, events, withText }: Parts): JSX.Element {
  const { page } = properties;
  return (
    <>
      <Arrows />
      <g aria-hidden="true">
        {layout.bands.map(({ block, top, bottom }, index) => (
          <g key={top} class={`band${index % 2 === 0 ? '' : ' odd'}`}>
            <rect x={0} y={top} width={layout.width} height={bottom - top} />
            {withText ? (
              <text x={6} y={top + 14}>
                {page.blocks[block]?.title ??
                  (page.kind === 'rehearsal' || page.kind === 'test' ? 'not in a block' : '')}
              </text>
            ) : null}
          </g>
        ))}
        {layout.lanes.map(({ x }) => (
          <line key={x} class="lane" x1={x} x2={x} y1={eventsTop - 8} y2={layout.height} />
        ))}
        <path class="spans" d={layout.spans} />
      </g>
      {events.map((event) => (
        <Message key={event.item.node} {...{ event, layout, properties, withText }} />
      ))}
    </>
  );
}

function Message({
  event,
  layout,
  properties,
  withText,
}: Omit<Parts, 'events'> & { event: SequenceEvent }): JSX.Element | null {
  const { page, tree, selected, collapsed, hits, onSelect, onOpen, onToggle } = properties;
  const { item, x, y } = event;
  const node = page.nodes[item.node];
  if (node === undefined) {
    return null;
  }
  const isSelected = tree.itemOf[selected] === item;
  const more = moreOf(item);
  const isClosed = more?.isOpened === false;
  const hasMore = item.children.length > 0 || isClosed;
  const failed = failedOutcome(node.outcome);
  const path = messagePath(event, layout);
  const siblings = item.parent?.children ?? [item];
  return (
    <g
      id={`item-${item.node}`}
      class={`event ${nodeClasses(
        node,
        isSelected,
        item.members.some((member) => hits.has(member)),
      )}`}
      role="treeitem"
      aria-level={item.depth + 1}
      aria-selected={isSelected}
      aria-expanded={hasMore ? item.children.length > 0 && !collapsed.has(item.node) : undefined}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(item) + 1}
      onClick={() => onSelect?.(isSelected ? selected : item.node)}
      onDblClick={() => (isClosed ? onToggle?.(item.node) : onOpen?.(item.node))}
    >
      {isSelected ? (
        <>
          <path class="spans" d={spanPath(event)} />
          <rect class="ring" x={x - 8} y={y - 12} width="16" height="24" rx="5" />
        </>
      ) : null}
      <path class="reach" d={path} />
      <path class="arrow" d={path} marker-end={`url(#arrow${failed ? '-failed' : ''})`} />
      <rect class="life" x={x - 4} y={y - 9} width="8" height="18" rx="2" />
      {withText ? <Label {...{ event, layout, properties }} /> : null}
      <title>{`${laneNameOf(page, item)}${spokenName(page, item)}`}</title>
    </g>
  );
}

/** Where a message goes: to the right, to the left, or back to its sender. */
function directionOf({ from, lane }: SequenceEvent, layout: SequenceLayout): 'right' | 'left' | 'own' {
  const start = from?.lane ?? layout.lanes[0];
  return start === lane ? 'own' : start !== undefined && start.x > lane.x ? 'left' : 'right';
}

/** A straight line in its own row; to the own account, a loop beside the lifeline. */
function messagePath(event: SequenceEvent, layout: SequenceLayout): string {
  const { from, lane, x, y } = event;
  const start = from?.x ?? layout.lanes[0]?.x ?? 0;
  const direction = directionOf(event, layout);
  if (direction === 'own') {
    const [right, top] = [lane.x + loopWidth, y - loopHeight];
    return `M${start},${top}H${right - 6}Q${right},${top} ${right},${y - loopHeight / 2}Q${right},${y} ${right - 6},${y}H${x + 5}`;
  }
  return `M${start},${y}H${x + (direction === 'right' ? -5 : 5)}`;
}

/**
 * Message above the arrow and value below it, between the receiver's lifeline and the next one towards the sender; on
 * the other side, what is folded.
 */
function Label({
  event,
  layout,
  properties: { page, onToggle, onRefold },
}: Pick<Parts, 'layout' | 'properties'> & { event: SequenceEvent }): JSX.Element | null {
  const { item, lane, x, y } = event;
  const node = page.nodes[item.node];
  if (node === undefined) {
    return null;
  }
  const direction = directionOf(event, layout);
  const at = { right: lane.x - 20, left: x + 20, own: lane.x + loopWidth + 8 }[direction];
  const letters = direction === 'own' ? loopLetters : labelLetters;
  const anchor = direction === 'right' ? ' before' : '';
  const more = moreOf(item);
  const text = more === undefined || more.isOpened ? more?.count : `${more.count} folded`;
  return (
    <>
      <text class={`label${anchor}`} x={at} y={y - 6} aria-hidden="true">
        {shorten(
          `${failedOutcome(node.outcome) || isCompared(page) ? `${signOf(node)} ` : ''}${node.message}`,
          letters,
        )}
      </text>
      <text class={`label value${anchor}`} x={at} y={y + 14} aria-hidden="true">
        {shorten(arrowValue(page, item), letters)}
      </text>
      {more === undefined || text === undefined ? null : (
        <More
          x={direction === 'right' ? x + 12 : lane.x - 12 - moreWidth(text)}
          y={y}
          text={text}
          onPress={() => (more.isOpened ? onRefold?.(item) : onToggle?.(item.node))}
        />
      )}
    </>
  );
}

function laneNameOf(page: TracePage, item: Item): string {
  const sender = item.parent === undefined ? undefined : page.nodes[item.parent.node];
  return sender === undefined ? '' : `${accountOf(page, sender).name} → `;
}

/** The messages as hairlines, for the minimap. */
function Trail({ page, layout }: { page: TracePage; layout: SequenceLayout }): JSX.Element {
  const line = ({ from, lane, y }: SequenceEvent): string =>
    `M${from?.lane.x ?? lane.x - lanePitch / 2},${y}H${lane.x}`;
  const failed = layout.events.filter(({ item }) => page.nodes[item.node]?.outcome === 'failed');
  return (
    <g class="silhouette" aria-hidden="true">
      <path class="lines" d={layout.events.map(line).join('')} />
      <path class="lines failed" d={failed.map(line).join('')} />
    </g>
  );
}
