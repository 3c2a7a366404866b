import type { RefObject } from 'preact';
import type { NodeChange, NodeDifference, PageAccount, PageNode, TracePage } from '../../protocol/tracePage';
import { formatCoins, nodeChangeText, shortCoins } from '../../protocol/tracePage';
import type { Camera } from './flowLayout';
import type { Item, ItemTree } from './foldNodes';
import type { StageHandle } from './stage';

/** Text truncated to `length` characters if necessary. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** Pixels of a letter of 12 pixels' height in a wide font. */
function letterWidth(letter: string): number {
  if (/[MWmw@%→—]/.test(letter)) {
    return 11;
  }
  if (/[iIjl.,:;'|! ]/.test(letter)) {
    return 3.9;
  }
  return /[A-Z]/.test(letter) ? 8.3 : /[frt()[\]-]/.test(letter) ? 5 : 7.5;
}

/** Text of 12 pixels' height that is truncated to a width in pixels if necessary. */
export function fitText(text: string, width: number): string {
  let used = 0;
  let fits = 0;
  for (let index = 0; index < text.length; index++) {
    used += letterWidth(text[index] ?? '');
    if (used > width) {
      return shorten(text, Math.max(2, fits + 1));
    }
    fits = used <= width - letterWidth('…') ? index + 1 : fits;
  }
  return text;
}

/** A text whose grouped numbers (`10 000`) stay on one line. */
export function unbroken(text: string): string {
  return text.replace(/(\d) (?=\d{3})/g, '$1\u00a0');
}

/** The account of a transaction. */
export function accountOf(page: TracePage, node: PageNode | undefined): PageAccount {
  return page.accounts[node?.account ?? -1] ?? { letter: '?', name: 'unknown account', account: '' };
}

/** {@link itemName} in a width in pixels: how many there are is not cut. */
export function fitName(page: TracePage, item: Item, width: number): string {
  const name = itemName(page, item);
  const count = item.isMixed || item.members.length === 1 ? '' : ` ×${item.members.length}`;
  const plain = name.slice(0, name.length - count.length);
  return `${fitText(plain, width - 7.5 * count.length)}${count}`;
}

/** Who an item is about: `bob`, `bob ×50`, `50 accounts`. */
export function itemName(page: TracePage, item: Item): string {
  const count = item.members.length;
  const { name } = accountOf(page, page.nodes[item.node]);
  if (item.isMixed) {
    const accounts = `${new Set(item.members.map((node) => page.nodes[node]?.account)).size} accounts`;
    return accounts === `${count} accounts` ? accounts : `${accounts} ×${count}`;
  }
  return count === 1 ? name : `${name} ×${count}`;
}

/** Nanocoins of all members; undefined if one's are unknown. */
function sumOf(page: TracePage, item: Item, amount: (node: PageNode) => string): bigint | undefined {
  let sum = 0n;
  for (const member of item.members) {
    const node = page.nodes[member];
    const text = node === undefined ? '' : amount(node);
    if (text === '') {
      return undefined;
    }
    sum += BigInt(text);
  }
  return sum;
}

/** What an item's transactions took in fees: `0.0031`. */
export function itemFee(page: TracePage, item: Item): string {
  const node = page.nodes[item.node];
  if (item.members.length === 1) {
    return node?.fee ?? '';
  }
  const sum = sumOf(page, item, ({ feeNanocoins }) => feeNanocoins);
  return sum === undefined ? '' : formatCoins(sum);
}

/** What an item was sent: `25 USDt, 0.05 TON`; for a fold, the sum of the coins. Empty if unknown. */
export function itemValue(page: TracePage, item: Item): string {
  const coins = itemCoins(page, item);
  const jettons = item.members.length > 1 ? '' : (page.nodes[item.node]?.jettons ?? '');
  return [jettons, coins === '' ? '' : `${coins} ${page.coin}`].filter((text) => text !== '').join(', ');
}

/** {@link itemValue} beside an arrow: jettons leave no room for all digits of the coins, which the details have. */
export function arrowValue(page: TracePage, item: Item): string {
  const { jettons = '', nanocoins = '' } = page.nodes[item.node] ?? {};
  return item.members.length > 1 || jettons === '' || nanocoins === ''
    ? itemValue(page, item)
    : `${jettons}, ${shortCoins(BigInt(nanocoins))} ${page.coin}`;
}

/** {@link itemValue} of coins, without their label. */
export function itemCoins(page: TracePage, item: Item): string {
  const sum = sumOf(page, item, ({ nanocoins }) => nanocoins);
  return sum === undefined ? '' : formatCoins(sum);
}

/** What an item is measured by. */
export type Measure = 'value' | 'gas' | 'fee';

/** An item's amount for widths and colors: nanocoins or gas units; 0 if unknown. */
export function measureOf(page: TracePage, item: Item, measure: Measure): number {
  if (measure === 'gas') {
    return item.members.reduce((sum, member) => sum + (page.nodes[member]?.gas ?? 0), 0);
  }
  const amount = measure === 'value' ? 'nanocoins' : 'feeNanocoins';
  return item.members.reduce((sum, member) => sum + Number(page.nodes[member]?.[amount] ?? 0), 0);
}

/** Maximum changes in a tooltip; the details have all. */
const mostSpoken = 12;

/** `gas 1 512 → 1 600`, or `only in the rehearsal`. Nothing outside comparisons. */
export function changeTexts({ difference }: PageNode, most = Infinity): string[] {
  if (difference === undefined) {
    return [];
  }
  const { kind, words, changes } = difference;
  return kind === 'changed' ? changes.slice(0, most).map(nodeChangeText) : [words];
}

/** Whether transactions of the page are marked with what differs from another trace. */
export function isCompared({ sides }: TracePage): boolean {
  return sides !== undefined;
}

/** An item's text for screen readers and tooltips. */
export function spokenName(page: TracePage, item: Item): string {
  const node = page.nodes[item.node];
  if (node === undefined) {
    return '';
  }
  const { letter } = accountOf(page, node);
  const parts = [
    item.isMixed ? itemName(page, item) : `${letter} ${itemName(page, item)}`,
    node.message,
    node.opcode === node.message ? '' : node.opcode,
    itemValue(page, item),
    node.result,
    node.change,
    node.isBounced ? 'bounced' : '',
    node.isEmulated ? 'emulated' : '',
    node.difference?.kind === 'changed' ? 'changed' : '',
    ...changeTexts(node, item.members.length > 1 ? 0 : mostSpoken),
    item.hidden > 0 ? `${item.hidden} more below` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Indexes of the nodes matching a text: names, addresses, messages, values, results, changes. None for no text. */
export function findNodes(page: TracePage, text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') {
    return [];
  }
  const found: number[] = [];
  page.nodes.forEach((node, index) => {
    const { name, account, letter } = accountOf(page, node);
    const { hash, message, opcode, value, jettons, result, change } = node;
    const fields = [name, account, hash, message, opcode, value, jettons, result, change];
    if (letter.toLowerCase() === wanted || fields.some((field) => field.toLowerCase().includes(wanted))) {
      found.push(index);
    }
  });
  return found;
}

/** The pictures of a trace, in the order of the toolbar. */
export const pictures = ['flow', 'sequence', 'money', 'table'] as const;
export type PictureName = (typeof pictures)[number];

/** What every picture of transactions is given. Nodes are indexes of {@link TracePage.nodes}. */
export interface PictureProperties {
  page: TracePage;
  tree: ItemTree;
  selected: number;
  collapsed: ReadonlySet<number>;
  /** Found by the search. */
  hits: ReadonlySet<number>;
  measure: Measure;
  /** Where the user left this picture. */
  camera: Camera | undefined;
  onCamera: (camera: Camera) => void;
  onSelect: (node: number) => void;
  onOpen: (node: number) => void;
  /** Opens or closes a fold, or what is below an item. */
  onToggle: (node: number) => void;
  /** Closes the fold that an item was one of before it was opened. */
  onRefold: (item: Item) => void;
  handle: RefObject<StageHandle | null>;
}

/** What drawing transactions takes; in an exported file, nothing can be clicked. */
export type DrawnProperties = Pick<
  PictureProperties,
  'page' | 'tree' | 'selected' | 'collapsed' | 'hits' | 'measure'
> &
  Partial<Pick<PictureProperties, 'onSelect' | 'onOpen' | 'onToggle' | 'onRefold'>>;

const signs: Record<NodeDifference['kind'], string> = { same: '=', changed: '≠', added: '+', missing: '−' };

/** How a transaction ended; in a comparison, how it differs: what changed never looks as if it had merely succeeded. */
export function signOf({ difference, symbol }: PageNode): string {
  return difference === undefined ? symbol : signs[difference.kind];
}

/** The two lines of a compared box, no longer than `length`: the most important first, and how many more there are. */
export function comparedLines(
  { nodes }: TracePage,
  { members }: Item,
  node: PageNode,
  measure: Measure,
  length: number,
): [first: string, second: string] {
  const { kind, words, changes } = node.difference ?? { kind: 'same', words: '', changes: [] };
  const head = signOf(node);
  const room = length - 2;
  if (kind !== 'changed') {
    const own = `${node.symbol} ${node.result}`;
    return kind === 'same'
      ? [`${head} ${shorten(node.result, room)}`, words]
      : [`${head} ${shorten(words, room)}`, shorten(own, length)];
  }
  if (members.length > 1) {
    const all = new Set(
      members.flatMap((member) => (nodes[member]?.difference?.changes ?? []).map(({ what }) => what)),
    );
    return [`${head} all changed:`, shorten([...all].join(', '), length)];
  }
  // Whoever looks at gas or fees sees their change first.
  const order = [
    ...changes.filter(({ what }) => what === measure && measure !== 'value'),
    ...changes.filter(({ what }) => what !== measure || measure === 'value'),
  ];
  const [first, second, ...more] = order;
  const rest = more.length === 0 ? '' : ` +${more.length}`;
  return [
    `${head} ${first === undefined ? '' : fitted(first, room)}`,
    second === undefined ? '' : `${fitted(second, length - rest.length)}${rest}`,
  ];
}

/** Both values stay in sight, whatever has to be cut; `result` goes without saying. */
function fitted({ what, from, to }: NodeChange, length: number): string {
  const name = what === 'result' ? '' : `${shorten(what, Math.floor(length / 2))} `;
  const room = length - name.length - 3;
  const half = Math.floor(room / 2);
  const isShort = [from.length <= half, to.length <= half];
  return isShort[1] === true
    ? `${name}${shorten(from, room - to.length)} → ${to}`
    : `${name}${shorten(from, half)} → ${shorten(to, room - Math.min(half, from.length))}`;
}
