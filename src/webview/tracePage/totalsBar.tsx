import type { JSX } from 'preact';
import type { TracePage } from '../../protocol/tracePage';
import { formatCoins, formatInteger } from '../../protocol/tracePage';
import type { ItemTree } from './foldNodes';
import type { Measure } from './pageText';
import type { Camera, Layout, Region, Size } from './flowLayout';
import { scalesOf } from './flowLayout';

const height = 36;

/** Far away, what is too small to have texts has them together: how many, how much, and whether something failed. */
export function TotalsBar({
  totals,
  now,
  size,
}: {
  totals: readonly ColumnTotal[];
  now: Camera;
  size: Size;
}): JSX.Element {
  return (
    <g class="totals" aria-hidden="true">
      <rect width={size.width} height={height} />
      {totals.map(({ left, count, amount }) => {
        const x = now.x + left * scalesOf(now).x;
        return (
          <g key={left}>
            <line x1={x} x2={x} y1={0} y2={height} />
            <text x={x + 6} y={14}>
              {count}
            </text>
            <text class="value" x={x + 6} y={29}>
              {amount}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** What stands in the columns of a picture before each column: the difference of two is the sum between them. */
interface ColumnSums {
  transactions: number[];
  failed: number[];
  /** Nanocoins or units of gas. */
  amounts: bigint[];
  measure: Measure;
}

/** The sum of some neighboring columns, and where they are. */
interface ColumnTotal {
  left: number;
  right: number;
  /** `2 048 transactions, 3 failed`. */
  count: string;
  /** `10.24 TON`. */
  amount: string;
}

/** On the screen, the room for a total's texts. */
const leastWidth = 170;

/** Sums of all transactions, also of those in folds and below what is closed. */
export function columnSums(
  { nodes }: TracePage,
  { itemOf }: ItemTree,
  { byItem, columnPitch, width }: Layout,
  measure: Measure,
): ColumnSums {
  const count = Math.floor(width / columnPitch) + 1;
  const transactions = new Array<number>(count + 1).fill(0);
  const failed = new Array<number>(count + 1).fill(0);
  const amounts = new Array<bigint>(count + 1).fill(0n);
  nodes.forEach((node, index) => {
    const item = itemOf[index];
    const placed = item === undefined ? undefined : byItem.get(item);
    if (placed === undefined) {
      return;
    }
    const after = Math.round(placed.x / columnPitch) + 1;
    const amount = measure === 'gas' ? node.gas : measure === 'fee' ? node.feeNanocoins : node.nanocoins;
    transactions[after]! += 1;
    failed[after]! += node.outcome === 'failed' || node.outcome === 'partial' ? 1 : 0;
    amounts[after]! += BigInt(amount === '' ? 0 : amount);
  });
  for (let column = 1; column <= count; column++) {
    transactions[column]! += transactions[column - 1]!;
    failed[column]! += failed[column - 1]!;
    amounts[column]! += amounts[column - 1]!;
  }
  return { transactions, failed, amounts, measure };
}

/** Totals of the columns in sight, as many together as their texts need; the same ones while the picture is moved. */
export function totalsIn(
  { transactions, failed, amounts, measure }: ColumnSums,
  { columnPitch }: Pick<Layout, 'columnPitch'>,
  region: Pick<Region, 'left' | 'right'>,
  zoom: number,
  coin: string,
): ColumnTotal[] {
  const last = transactions.length - 1;
  let together = 1;
  while (together * columnPitch * zoom < leastWidth && together < last) {
    together *= 2;
  }
  const found: ColumnTotal[] = [];
  const first = Math.max(0, Math.floor(region.left / columnPitch / together)) * together;
  for (let from = first; from < last && from * columnPitch < region.right; from += together) {
    const to = Math.min(last, from + together);
    const count = transactions[to]! - transactions[from]!;
    const amount = amounts[to]! - amounts[from]!;
    const bad = failed[to]! - failed[from]!;
    found.push({
      left: from * columnPitch,
      right: (from + together) * columnPitch,
      count: `${formatInteger(count)} transaction${count === 1 ? '' : 's'}${bad === 0 ? '' : `, ${formatInteger(bad)} failed`}`,
      amount: measure === 'gas' ? `gas ${formatInteger(amount)}` : amountText(amount, measure, coin),
    });
  }
  return found;
}

function amountText(nanocoins: bigint, measure: 'value' | 'fee', coin: string): string {
  return `${measure === 'fee' ? 'fees ' : ''}${formatCoins(nanocoins)} ${coin}`;
}
