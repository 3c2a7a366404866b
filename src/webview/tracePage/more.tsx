import type { JSX } from 'preact';
import type { PageNode } from '../../protocol/tracePage';
import type { Item, ItemTree } from './foldNodes';

/** What a badge says about an item, and whether it closes the fold that the item was one of; undefined if it has none. */
export function moreOf(item: Item): { count: string; isOpened: boolean } | undefined {
  if (item.members.length > 1) {
    return { count: `×${item.members.length}`, isOpened: false };
  }
  if (item.hidden > 0) {
    return { count: `+${item.hidden}`, isOpened: false };
  }
  return item.opened?.members[0] === item.node
    ? { count: `fold ${item.opened.members.length}`, isOpened: true }
    : undefined;
}

/** The width of a badge with this text. */
export function moreWidth(text: string): number {
  return Math.max(48, text.length * 7 + 14);
}

/** How many there are, as a badge that opens them, or closes their fold again; `y` is its middle. */
export function More({
  x,
  y,
  text,
  scale = 1,
  onPress,
}: {
  x: number;
  y: number;
  text: string;
  scale?: number;
  onPress: () => void;
}): JSX.Element {
  const width = moreWidth(text);
  return (
    <g
      class="more"
      aria-hidden="true"
      transform={`translate(${x} ${y}) scale(${scale})`}
      onClick={(event) => (event.stopPropagation(), onPress())}
    >
      <rect y={-9} width={width} height="18" rx="9" />
      <text x={width / 2} y={4}>
        {text}
      </text>
    </g>
  );
}

/** The place and party of a lifeline. */
export interface Lane {
  /** Index in the page's accounts; -1 for the outside, -2 for a fold of several accounts. */
  account: number;
  /** The fold's item, if it is one of several accounts. */
  item: Item | undefined;
  x: number;
}

/** A transaction on its lifeline, and the message that led to it. */
export interface SequenceEvent {
  item: Item;
  lane: Lane;
  /** Where the message was sent; undefined if from outside. */
  from: SequenceEvent | undefined;
  /**
   * Vertical center of its row, which has nothing but its message's arrow: in logical order. What is lower happened
   * later, or is not known to have happened before.
   */
  y: number;
  /** Where the arrow of the last message that it sent begins; its own place if it sent none. */
  until: number;
  /** Horizontal center: beside the lifeline while earlier transactions of the account are still sending. */
  x: number;
}

/** The part of the picture that belongs to one block. */
interface Band {
  /** Index in the page's blocks; -1 for what is in none. */
  block: number;
  top: number;
  bottom: number;
}

/** Parties as lifelines over logical time. */
export interface SequenceLayout {
  lanes: readonly Lane[];
  /** From top to bottom. */
  events: readonly SequenceEvent[];
  byItem: ReadonlyMap<Item, SequenceEvent>;
  bands: readonly Band[];
  /** From each transaction down to the last message that it sent: one path, because there may be thousands. */
  spans: string;
  width: number;
  height: number;
}

export const lanePitch = 180;
export const firstLane = 110;
export const eventPitch = 40;
export const eventsTop = 16;
/** How far above its transaction a message to the own account begins. */
export const loopHeight = 12;
/** Between transactions of one account that send at the same time, and how many of them are told apart. */
const spanPitch = 6;
const mostSpans = 4;
const badgeRoom = 120;

/** Lanes in order of first appearance, events in order of logical time; events without one come last. */
export function sequenceLayout(nodes: readonly PageNode[], tree: ItemTree): SequenceLayout {
  const order = tree.items.map((item, index) => ({ item, index, lt: ltOf(nodes[item.node]) }));
  order.sort((a, b) => compare(a.lt, b.lt) || a.index - b.index);
  const lanes = new Lanes();
  const byItem = new Map<Item, SequenceEvent>();
  const bands: Band[] = [];
  if (order.some(({ item }) => item.parent === undefined)) {
    lanes.of(-1, undefined);
  }
  const events = order.map(({ item }, row): SequenceEvent => {
    const node = nodes[item.node];
    const y = eventsTop + (row + 0.5) * eventPitch;
    const block = node?.block ?? -1;
    const last = bands.at(-1);
    if (last?.block === block) {
      last.bottom = y + eventPitch / 2;
    } else {
      bands.push({ block, top: y - eventPitch / 2, bottom: y + eventPitch / 2 });
    }
    const lane = item.isMixed ? lanes.of(-2, item) : lanes.of(node?.account ?? -1, undefined);
    const event: SequenceEvent = { item, lane, from: undefined, y, until: y, x: lane.x };
    byItem.set(item, event);
    return event;
  });
  for (const event of events) {
    event.from = event.item.parent === undefined ? undefined : byItem.get(event.item.parent);
    if (event.from !== undefined) {
      const isOwn = event.from.lane === event.lane;
      event.from.until = Math.max(event.from.until, event.y - (isOwn ? loopHeight : 0));
    }
  }
  placeBeside(events);
  return {
    ...{ lanes: lanes.list, events, byItem, bands },
    spans: events.map(spanPath).join(''),
    width: firstLane + (lanes.list.length - 1) * lanePitch + roomAfter(events, lanes.list.at(-1)),
    height: eventsTop + events.length * eventPitch + eventPitch / 2,
  };
}

/** The part of a lifeline in which a transaction sends; empty if it sends nothing. */
export function spanPath({ x, y, until }: SequenceEvent): string {
  return until > y ? `M${x},${y}V${until}` : '';
}

/** What the last lifeline needs on its right: half a name, or a badge, or the label of a message to itself. */
function roomAfter(events: readonly SequenceEvent[], last: Lane | undefined): number {
  const own = events.filter(({ lane }) => lane === last);
  if (own.some(({ from }) => from?.lane === last)) {
    return lanePitch;
  }
  return own.some(({ item }) => moreOf(item) !== undefined) ? badgeRoom : lanePitch / 2;
}

/** Sets aside a transaction whose account has others that have not sent everything yet. */
function placeBeside(events: readonly SequenceEvent[]): void {
  const open = new Map<Lane, number[]>();
  for (const event of events) {
    const ends = open.get(event.lane) ?? [];
    const free = Array.from({ length: mostSpans }, (_, place) => place).find(
      (place) => (ends[place] ?? 0) <= event.y,
    );
    const place = free ?? mostSpans - 1;
    ends[place] = Math.max(ends[place] ?? 0, event.until);
    open.set(event.lane, ends);
    event.x = event.lane.x + place * spanPitch;
  }
}

class Lanes {
  readonly list: Lane[] = [];
  readonly #known = new Map<number | Item, Lane>();

  of(account: number, item: Item | undefined): Lane {
    const key = item ?? account;
    let lane = this.#known.get(key);
    if (lane === undefined) {
      lane = { account, item, x: firstLane + this.list.length * lanePitch };
      this.#known.set(key, lane);
      this.list.push(lane);
    }
    return lane;
  }
}

function ltOf(node: PageNode | undefined): bigint | undefined {
  return node === undefined || node.lt === '' ? undefined : BigInt(node.lt);
}

function compare(a: bigint | undefined, b: bigint | undefined): number {
  if (a === undefined || b === undefined) {
    return a === b ? 0 : a === undefined ? 1 : -1;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The events inside a part of the picture. */
export function eventsIn(
  { events }: SequenceLayout,
  { top, bottom }: { top: number; bottom: number },
): readonly SequenceEvent[] {
  const rowAt = (y: number): number => Math.floor((y - eventsTop) / eventPitch);
  return events.slice(Math.max(0, rowAt(top) - 1), Math.max(0, rowAt(bottom) + 2));
}
