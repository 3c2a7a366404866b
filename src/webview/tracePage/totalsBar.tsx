import type { JSX } from 'preact';
import { scalesOf } from './camera';
import type { Camera, Size } from './camera';
import type { ColumnTotal } from './flowTotals';

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
