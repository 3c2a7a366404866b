import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { failedOutcome } from '../../protocol/tracePage';
import type { TracePage } from '../../protocol/tracePage';
import { Arrows } from './arrows';
import { scalesOf, stretchedFrom } from './camera';
import type { Item } from './foldNodes';
import { nodeClasses } from './nodeClasses';
import { accountOf, itemName, itemValue, shorten, spokenName } from './pageText';
import type { DrawnProperties, PictureProperties } from './pictureProperties';
import { eventPitch, eventsIn, eventsTop, lanePitch, sequenceLayout } from './sequenceLayout';
import type { Lane, SequenceEvent, SequenceLayout } from './sequenceLayout';
import { Stage } from './stage';

/** Below this zoom texts would be noise. */
const textFrom = 0.45;
/** From this many events, what is far away is drawn without its arrows. */
const mostArrows = 1500;
const headHeight = 26;
/** Pixels of the shortest name of a lifeline. */
const leastHead = 48;

/** Lifelines over logical time: who sent what to whom, when, and how long it waited. */
export function SequenceView(properties: PictureProperties): JSX.Element {
  const { page, tree, selected, camera, onCamera, handle } = properties;
  const layout = useMemo(() => sequenceLayout(page.nodes, tree), [page, tree]);
  const current = layout.byItem.get(tree.itemOf[selected] ?? tree.items[0]!);
  const small = useMemo(() => <Trail page={page} layout={layout} />, [page, layout]);
  return (
    <Stage
      label={`Messages of ${page.headline}, in order of time`}
      role="tree"
      activeId={current === undefined ? undefined : `item-${current.item.node}`}
      picture={layout}
      pictureKey={`sequence ${page.key}`}
      kept={camera}
      onCamera={onCamera}
      reveal={
        current && {
          left: current.lane.x - lanePitch,
          right: current.lane.x + lanePitch / 2,
          top: current.y - eventPitch - headHeight,
          bottom: current.y + eventPitch,
        }
      }
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
  );
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
                {page.blocks[block]?.title ?? (page.kind === 'rehearsal' ? 'not in a block' : '')}
              </text>
            ) : null}
          </g>
        ))}
        {layout.lanes.map(({ x }) => (
          <line key={x} class="lane" x1={x} x2={x} y1={eventsTop - 8} y2={layout.height} />
        ))}
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
  const { page, tree, selected, hits, onSelect, onOpen } = properties;
  const { item, lane, from, y } = event;
  const node = page.nodes[item.node];
  if (node === undefined) {
    return null;
  }
  const isSelected = tree.itemOf[selected] === item;
  const start = from === undefined ? { x: layout.lanes[0]?.x ?? 0, y } : { x: from.lane.x, y: from.y };
  const failed = failedOutcome(node.outcome);
  const isOwn = start.x === lane.x;
  const right = start.x <= lane.x;
  const path = isOwn
    ? `M${start.x},${start.y}C${start.x + 60},${start.y} ${start.x + 60},${y} ${lane.x + 5},${y}`
    : `M${start.x},${start.y}L${lane.x + (right ? -5 : 5)},${y}`;
  const siblings = item.parent?.children ?? [item];
  const labelX = isOwn || !right ? lane.x + 12 : lane.x - 12;
  const value = itemValue(page, item);
  const count = item.members.length > 1 ? ` ×${item.members.length}` : '';
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
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(item) + 1}
      onClick={() => onSelect?.(item.node)}
      onDblClick={() => onOpen?.(item.node)}
    >
      {isSelected ? <rect class="ring" x={lane.x - 8} y={y - 12} width="16" height="24" rx="5" /> : null}
      <path class="reach" d={path} />
      <path class="arrow" d={path} marker-end={`url(#arrow${failed ? '-failed' : ''})`} />
      <rect class="life" x={lane.x - 4} y={y - 9} width="8" height="18" rx="2" />
      {withText ? (
        <text class={`label${labelX < lane.x ? ' before' : ''}`} x={labelX} y={y + 14} aria-hidden="true">
          {shorten(`${failed ? `${node.symbol} ` : ''}${node.message}${count}`, 24)}
          <tspan class="value">{value === '' ? '' : `  ${value}`}</tspan>
        </text>
      ) : null}
      <title>{`${laneNameOf(page, item)}${spokenName(page, item)}`}</title>
    </g>
  );
}

function laneNameOf(page: TracePage, item: Item): string {
  const sender = item.parent === undefined ? undefined : page.nodes[item.parent.node];
  return sender === undefined ? '' : `${accountOf(page, sender).name} → `;
}

/** The messages as hairlines, for the minimap. */
function Trail({ page, layout }: { page: TracePage; layout: SequenceLayout }): JSX.Element {
  const line = ({ from, lane, y }: SequenceEvent): string =>
    `M${from?.lane.x ?? lane.x - lanePitch / 2},${from?.y ?? y}L${lane.x},${y}`;
  const failed = layout.events.filter(({ item }) => page.nodes[item.node]?.outcome === 'failed');
  return (
    <g class="silhouette" aria-hidden="true">
      <path class="lines" d={layout.events.map(line).join('')} />
      <path class="lines failed" d={failed.map(line).join('')} />
    </g>
  );
}
