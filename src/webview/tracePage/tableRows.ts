import type { PageNode, TracePage } from '../../protocol/tracePage';
import { formatCoins, formatInteger } from '../../protocol/tracePage';
import type { Item, ItemTree } from './foldNodes';
import {
  accountOf,
  changeTexts,
  isCompared,
  itemCoins,
  itemFee,
  itemName,
  measureOf,
  signOf,
} from './pageText';

/** A column of the table. */
export interface Column {
  name: 'account' | 'message' | 'value' | 'result' | 'gas' | 'fee' | 'change';
  title: string;
  isNumber: boolean;
}

/** How the table is sorted; undefined is the order of the tree. */
export type Sorting = { column: Column['name']; isDescending: boolean } | undefined;

/** One row. In the order of the tree it may be a fold; otherwise it is one transaction. */
export interface TableRow {
  node: number;
  item: Item | undefined;
  depth: number;
}

/** The columns; `change` only if the data of some contract can be read, and early in what is compared. */
export function tableColumns(page: TracePage): Column[] {
  const columns: Record<Column['name'], Column> = {
    account: { name: 'account', title: 'account', isNumber: false },
    message: { name: 'message', title: 'message', isNumber: false },
    value: { name: 'value', title: `value ${page.coin}`, isNumber: true },
    result: { name: 'result', title: 'result', isNumber: false },
    gas: { name: 'gas', title: 'gas', isNumber: true },
    fee: { name: 'fee', title: `fee ${page.coin}`, isNumber: true },
    change: { name: 'change', title: isCompared(page) ? 'what differs' : 'what changed', isNumber: false },
  };
  const { account, message, value, result, gas, fee, change } = columns;
  if (isCompared(page)) {
    return [account, message, result, change, value, gas, fee];
  }
  const hasChanges = page.nodes.some((node) => node.change !== '');
  return [account, message, value, result, gas, fee, ...(hasChanges ? [change] : [])];
}

/**
 * The rows in order: the tree, or all transactions sorted.
 *
 * @param only the transactions to show; undefined for all
 */
export function tableRows(
  page: TracePage,
  tree: ItemTree,
  sorting: Sorting,
  only: ReadonlySet<number> | undefined,
): TableRow[] {
  if (sorting === undefined && only === undefined) {
    return tree.items.map((item) => ({ node: item.node, item, depth: item.depth }));
  }
  const nodes = page.nodes.map((_, node) => node).filter((node) => only === undefined || only.has(node));
  if (sorting !== undefined) {
    const { column, isDescending } = sorting;
    const keys = nodes.map((node) => sortKey(page, page.nodes[node], column));
    const order = nodes.map((_, index) => index);
    order.sort((a, b) => compare(keys[a], keys[b], isDescending) || a - b);
    return order.map((index) => ({ node: nodes[index] ?? 0, item: undefined, depth: 0 }));
  }
  return nodes.map((node) => ({ node, item: undefined, depth: 0 }));
}

/** One cell's text. */
export function cellText(page: TracePage, { node: index, item }: TableRow, column: Column['name']): string {
  const node = page.nodes[index];
  if (node === undefined) {
    return '';
  }
  switch (column) {
    case 'account':
      return item === undefined ? accountOf(page, node).name : itemName(page, item);
    case 'message':
      return node.message;
    case 'value':
      return item === undefined ? coinsOf(node.nanocoins) : itemCoins(page, item);
    case 'result':
      return `${signOf(node)} ${node.result}`;
    case 'gas': {
      const gas = item === undefined ? node.gas : measureOf(page, item, 'gas');
      return gas === 0 ? '' : formatInteger(gas);
    }
    case 'fee':
      return item === undefined ? node.fee : itemFee(page, item);
    case 'change':
      return changeOf(node);
  }
}

function changeOf(node: PageNode): string {
  return node.difference === undefined ? node.change : changeTexts(node).join('; ');
}

/** The rows as tab-separated text with a heading; what spreadsheets take. */
export function tableText(page: TracePage, rows: readonly TableRow[]): string {
  const columns = tableColumns(page);
  return [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ name }) => cellText(page, row, name).replace(/[\t\r\n]+/g, ' '))),
  ]
    .map((cells) => cells.join('\t'))
    .join('\n');
}

function sortKey(
  page: TracePage,
  node: PageNode | undefined,
  column: Column['name'],
): string | bigint | undefined {
  switch (column) {
    case 'value':
      return amount(node?.nanocoins);
    case 'fee':
      return amount(node?.feeNanocoins);
    case 'gas':
      return node === undefined || node.gas === 0 ? undefined : BigInt(node.gas);
    case 'account':
      return accountOf(page, node).name;
    case 'message':
    case 'result':
      return node?.[column];
    case 'change':
      return node && changeOf(node);
  }
}

function coinsOf(nanocoins: string): string {
  return nanocoins === '' ? '' : formatCoins(BigInt(nanocoins));
}

function amount(text: string | undefined): bigint | undefined {
  return text === undefined || text === '' ? undefined : BigInt(text);
}

/** Numbers inside texts by their value, capitals as small letters. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** What is unknown comes last either way. */
function compare(
  a: string | bigint | undefined,
  b: string | bigint | undefined,
  isDescending: boolean,
): number {
  if (a === undefined || b === undefined) {
    return a === b ? 0 : a === undefined ? 1 : -1;
  }
  const order =
    typeof a === 'string' && typeof b === 'string' ? collator.compare(a, b) : a < b ? -1 : a > b ? 1 : 0;
  return isDescending ? -order : order;
}
