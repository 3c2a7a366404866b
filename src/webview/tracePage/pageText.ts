import { formatCoins, nodeChangeText, shortCoins } from '../../protocol/tracePage';
import type { PageAccount, PageNode, TracePage } from '../../protocol/tracePage';
import type { Item } from './foldNodes';

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
