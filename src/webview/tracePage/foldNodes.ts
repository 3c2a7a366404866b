import type { PageNode } from '../../protocol/tracePage';

/** One place of a picture: a transaction, or several alike. */
export interface Item {
  /** The transaction, or the first of those that are alike; an index in the page's nodes. */
  node: number;
  /** All that it stands for; one if it is not a fold. */
  members: readonly number[];
  /** Whether the members are transactions of different accounts. */
  isMixed: boolean;
  parent: Item | undefined;
  children: Item[];
  /** Roots have 0. */
  depth: number;
  /** Descendants that are not shown: it is a fold, or collapsed. */
  hidden: number;
  /** The fold that it was one of before the user opened it. */
  opened: OpenedFold | undefined;
}

/** A fold that is shown member by member. */
export interface OpenedFold {
  /** {@link foldKey}. */
  key: number;
  members: readonly number[];
}

/** What the user has opened and closed, by {@link Item.node}. */
export interface Folding {
  /** Items whose children are not shown. */
  collapsed: ReadonlySet<number>;
  /** Folds that are shown member by member. */
  unfolded: ReadonlySet<number>;
}

/** The items that are shown, in tree order. */
export interface ItemTree {
  items: readonly Item[];
  /** For each transaction the item that stands for it. */
  itemOf: readonly Item[];
}

/** From this many, siblings that are alike are one item. */
const leastAlike = 4;
/** From this many, they may belong to different accounts. */
const leastMixed = 13;

/**
 * Joins siblings that are alike: the same account, message, and result, and below them the same again. What remains
 * many is joined without regard to the account. Two passes, no recursion: traces are thousands of levels deep.
 */
export function foldNodes(nodes: readonly PageNode[], { collapsed, unfolded }: Folding): ItemTree {
  const children = childrenOf(nodes);
  const { own, shapes, sizes } = describe(nodes, children);
  const items: Item[] = [];
  const itemOf = new Array<Item>(nodes.length);
  const stack: Item[] = [];

  const place = (found: readonly Group[], parent: Item | undefined): void => {
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const placed = found.map(({ members, isMixed, opened }): Item => {
      const node = members[0] ?? 0;
      const item = { node, members, isMixed, parent, children: [], depth, hidden: 0, opened };
      parent?.children.push(item);
      return item;
    });
    for (const item of placed.reverse()) {
      stack.push(item);
    }
  };
  const group = (siblings: readonly number[]): Group[] =>
    siblings.length < leastAlike ? siblings.map(alone) : groups(siblings, own, shapes, unfolded);

  place(group(children.roots), undefined);
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    items.push(item);
    const below = children.of[item.node] ?? [];
    if (item.members.length > 1 || (collapsed.has(item.node) && below.length > 0)) {
      for (const member of item.members) {
        const size = sizes[member] ?? 1;
        item.hidden += size - 1;
        // Descendants follow their ancestor: nodes are depth first.
        for (let node = member; node < member + size; node++) {
          itemOf[node] = item;
        }
      }
    } else {
      itemOf[item.node] = item;
      place(group(below), item);
    }
  }
  return { items, itemOf };
}

type Group = Pick<Item, 'members' | 'isMixed' | 'opened'>;

const alone = (node: number): Group => ({ members: [node], isMixed: false, opened: undefined });

interface Children {
  roots: number[];
  of: (number[] | undefined)[];
}

function childrenOf(nodes: readonly PageNode[]): Children {
  const children: Children = { roots: [], of: new Array<number[] | undefined>(nodes.length) };
  nodes.forEach(({ parent }, node) => {
    if (parent < 0) {
      children.roots.push(node);
    } else {
      (children.of[parent] ??= []).push(node);
    }
  });
  return children;
}

interface Descriptions {
  /** A number per node, the same for nodes of one account that are alike with everything below. */
  own: Int32Array;
  /** The same without regard to the account. */
  shapes: Int32Array;
  /** Nodes of the subtree, itself included. */
  sizes: Int32Array;
}

/** Children come after their parents, so backwards everything below a node is described before it. */
function describe(nodes: readonly PageNode[], children: Children): Descriptions {
  const own = new Int32Array(nodes.length);
  const shapes = new Int32Array(nodes.length);
  const sizes = new Int32Array(nodes.length).fill(1);
  let count = 0;
  const next = (): number => count++;
  const texts = new Numbers<string>(next);
  const ofAccounts = new Numbers<number>(next);
  const pairs = new Numbers<number>(next);
  for (let index = nodes.length - 1; index >= 0; index--) {
    const { account, message, result, outcome, isEmulated, isBounced, difference } = nodes[index]!;
    const text = texts.of(
      `${message}\n${result}\n${outcome} ${isEmulated} ${isBounced} ${difference?.kind ?? ''}`,
    );
    let shape = text;
    let same = ofAccounts.of(pairKey(account + 1, text));
    for (const child of children.of[index] ?? []) {
      sizes[index]! += sizes[child]!;
      shape = pairs.of(pairKey(shape, shapes[child]!));
      same = pairs.of(pairKey(same, own[child]!));
    }
    // The last pair tells a finished description from the beginning of a longer one.
    shapes[index] = pairs.of(pairKey(shape, ends));
    own[index] = pairs.of(pairKey(same, ends));
  }
  return { own, shapes, sizes };
}

/** A number for each key. */
class Numbers<Key> {
  readonly #known = new Map<Key, number>();
  readonly #next: () => number;

  /** @param next a number that no key has, of these or any others that it may be compared with */
  constructor(next: () => number) {
    this.#next = next;
  }

  of(key: Key): number {
    let number = this.#known.get(key);
    if (number === undefined) {
      number = this.#next();
      this.#known.set(key, number);
    }
    return number;
  }
}

/** More numbers than a trace's nodes and pairs can have. */
const mostNumbers = 2 ** 26;
const ends = mostNumbers - 1;

/** Two numbers as one, exactly: a map of pairs without strings. */
function pairKey(first: number, second: number): number {
  return first * mostNumbers + second;
}

/** Each group stands where its first member does. */
function groups(
  siblings: readonly number[],
  own: Int32Array,
  shapes: Int32Array,
  unfolded: ReadonlySet<number>,
): Group[] {
  const alike = joined(siblings.map(alone), own, leastAlike, unfolded, false);
  return joined(alike, shapes, leastMixed, unfolded, true);
}

/** Groups with the same key are joined if there are enough members, and the user has not unfolded them. */
function joined(
  found: readonly Group[],
  keys: Int32Array,
  least: number,
  unfolded: ReadonlySet<number>,
  isMixed: boolean,
): Group[] {
  const byKey = new Map<number, Group[]>();
  for (const one of found) {
    const key = keys[one.members[0] ?? 0] ?? 0;
    const same = byKey.get(key);
    if (same === undefined) {
      byKey.set(key, [one]);
    } else {
      same.push(one);
    }
  }
  return [...byKey.values()].flatMap((same) => {
    const members = same.flatMap((one) => one.members);
    const opened = same[0]?.opened;
    // One fold that was opened is not closed again as one of several accounts.
    const isOneOpened = opened !== undefined && same.every((one) => one.opened?.key === opened.key);
    if (same.length < 2 || members.length < least || isOneOpened) {
      return same;
    }
    const key = foldKey(members, isMixed);
    return unfolded.has(key)
      ? same.map((one) => ({ ...one, opened: one.opened ?? { key, members } }))
      : [{ members, isMixed, opened: undefined }];
  });
}

/** What {@link Folding.unfolded} has for a fold: one of mixed accounts opens to folds of one account each. */
export function foldKey(members: readonly number[], isMixed: boolean): number {
  const first = members[0] ?? 0;
  return isMixed ? -1 - first : first;
}

/**
 * The item that an arrow key leads to, by the tree pattern (ARIA practices): right enters or expands, left leaves or
 * collapses, up and down go through what is visible. Undefined if the key has no effect.
 *
 * @param toggle opens or closes an item
 */
export function moveSelection(
  key: string,
  selected: number,
  { items, itemOf }: ItemTree,
  toggle: (item: Item) => void,
): Item | undefined {
  const item = itemOf[selected];
  if (item === undefined) {
    return items[0];
  }
  switch (key) {
    case 'ArrowRight':
      if (item.children.length === 0 && (item.hidden > 0 || item.members.length > 1)) {
        toggle(item);
        return item;
      }
      return item.children[0] ?? item;
    case 'ArrowLeft':
      return item.parent ?? item;
    case 'ArrowDown':
      return items[items.indexOf(item) + 1] ?? item;
    case 'ArrowUp':
      return items[items.indexOf(item) - 1] ?? item;
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default:
      return undefined;
  }
}

/** The classes of a transaction in every picture. */
export function nodeClasses(node: PageNode, isSelected: boolean, isFound: boolean): string {
  return [
    node.outcome,
    node.isEmulated ? 'emulated' : '',
    node.isBounced ? 'bounced' : '',
    node.difference === undefined ? '' : `compared-${node.difference.kind}`,
    isSelected ? 'selected' : '',
    isFound ? 'found' : '',
  ]
    .filter((name) => name !== '')
    .join(' ');
}
