import type { PageNode } from '../../protocol/tracePage';
import type { Item, ItemTree } from './foldNodes';

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
  /** Vertical center, in logical order: what is lower happened later, or is not known to have happened before. */
  y: number;
}

/** The part of the picture that belongs to one block. */
export interface Band {
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
  width: number;
  height: number;
}

export const lanePitch = 150;
const firstLane = 110;
export const eventPitch = 34;
export const eventsTop = 16;

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
    const event: SequenceEvent = {
      item,
      lane: item.isMixed ? lanes.of(-2, item) : lanes.of(node?.account ?? -1, undefined),
      from: undefined,
      y,
    };
    byItem.set(item, event);
    return event;
  });
  for (const event of events) {
    event.from = event.item.parent === undefined ? undefined : byItem.get(event.item.parent);
  }
  return {
    ...{ lanes: lanes.list, events, byItem, bands },
    width: firstLane + Math.max(0, lanes.list.length - 1) * lanePitch + lanePitch / 2,
    height: eventsTop + events.length * eventPitch + eventPitch / 2,
  };
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

/** Arrows drawn from one sender to receivers that are out of sight. */
const mostArrows = 50;

/** The events inside a part of the picture, and receivers of messages that are sent in it. */
export function eventsIn(
  { events, byItem }: SequenceLayout,
  { top, bottom }: { top: number; bottom: number },
): SequenceEvent[] {
  const rowAt = (y: number): number => Math.floor((y - eventsTop) / eventPitch);
  const first = Math.max(0, rowAt(top) - 1);
  const found = new Set(events.slice(first, Math.max(0, rowAt(bottom) + 2)));
  for (const { item } of [...found]) {
    for (const child of item.children.slice(0, mostArrows)) {
      const event = byItem.get(child);
      if (event !== undefined) {
        found.add(event);
      }
    }
  }
  return [...found];
}
