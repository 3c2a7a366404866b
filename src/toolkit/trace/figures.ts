import { groupDigits, withoutTrailing } from '../text';

/** A whole number with its digits in groups: `1 204 331`. */
export function formatInteger(value: bigint | number | string): string {
  return groupDigits(value);
}

/**
 * An amount of the smallest unit as a decimal number, exact, no trailing zeros: 100800 with 9 decimals is
 * `0.0001008`. Whole coins stand in groups, `1 204 331.5`; fractions stay in one piece: in groups they read as two numbers.
 */
export function formatUnits(amount: bigint, decimals: number): string {
  const negative = amount < 0n;
  const digits = String(negative ? -amount : amount).padStart(decimals + 1, '0');
  const whole = groupDigits(digits.slice(0, digits.length - decimals));
  const fraction = decimals === 0 ? '' : withoutTrailing(digits.slice(-decimals), '0');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Nanocoins as coins, without a label. */
export function formatCoins(nanocoins: bigint): string {
  return formatUnits(nanocoins, 9);
}

/** {@link formatUnits} with the sign always shown, except for zero. */
export function formatChange(amount: bigint, decimals: number): string {
  return amount > 0n ? `+${formatUnits(amount, decimals)}` : formatUnits(amount, decimals);
}

/** Seconds since the epoch as `2025-08-02 18:09:43 UTC`. */
export function formatTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime())
    ? String(seconds)
    : time.toISOString().replace('T', ' ').replace('.000Z', ' UTC');
}

/** `1 transaction`, `5 transactions`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatInteger(count)} ${count === 1 ? singular : plural}`;
}

/** How a column of {@link formatTable} stands. */
export type Alignment = 'left' | 'right' | 'decimal';

/** Rows of text as lines with aligned columns, two spaces apart; numbers stand by their decimal point. */
export function formatTable(
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[],
): string[] {
  const columns = alignments.map((alignment, column) =>
    alignColumn(
      rows.map((row) => row[column] ?? ''),
      alignment,
    ),
  );
  return rows.map((_, index) =>
    columns
      .map((column) => column[index] ?? '')
      .join('  ')
      .trimEnd(),
  );
}

function alignColumn(cells: readonly string[], alignment: Alignment): string[] {
  const aligned = alignment === 'decimal' ? alignDecimals(cells) : cells;
  const width = aligned.reduce((widest, cell) => Math.max(widest, widthOf(cell)), 0);
  return aligned.map((cell) => {
    const padding = ' '.repeat(width - widthOf(cell));
    return alignment === 'right' ? padding + cell : cell + padding;
  });
}

/** Text that is no number (a heading, a word) keeps to the right edge. */
function alignDecimals(cells: readonly string[]): string[] {
  const isNumber = (cell: string): boolean => /^[+-]?\d/.test(cell);
  const parts = cells.map((cell) => {
    const point = cell.indexOf('.');
    return isNumber(cell) ? (point < 0 ? [cell.length, 0] : [point, cell.length - point]) : [0, 0];
  });
  const left = parts.reduce((most, [before = 0]) => Math.max(most, before), 0);
  const right = parts.reduce((most, [, after = 0]) => Math.max(most, after), 0);
  return cells.map((cell, index) => {
    if (!isNumber(cell)) {
      return cell.padStart(left + right);
    }
    const [before = 0, after = 0] = parts[index] ?? [];
    return ' '.repeat(left - before) + cell + ' '.repeat(right - after);
  });
}

/** Characters, not UTF-16 units; good enough for names in most scripts. */
function widthOf(text: string): number {
  let width = 0;
  for (const _ of text) {
    width++;
  }
  return width;
}
