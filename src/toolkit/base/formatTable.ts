import stringWidth from 'string-width';

/** Alignment of a column of {@link formatTable}. */
export type Alignment = 'left' | 'right' | 'decimal';

/** Rows of text as lines with aligned columns, two spaces apart; `decimal` aligns numbers at their decimal point. */
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
  const width = widestOf(aligned);
  return aligned.map((cell) => (alignment === 'right' ? padLeft(cell, width) : padRight(cell, width)));
}

/** Text that is not a number (a heading, a word) is right-aligned. */
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
      return padLeft(cell, left + right);
    }
    const [before = 0, after = 0] = parts[index] ?? [];
    return ' '.repeat(left - before) + cell + ' '.repeat(right - after);
  });
}

/** Fast path for what most text is made of: printable ASCII and the product's own marks, all one column wide. */
const plain = /^[ -~·…×→←↩↳✓✗◌—–]*$/;

/** Columns that text takes in a fixed-width font: two for CJK and most emoji, none for combining marks. */
export function textWidth(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text);
}

/** The widest of the texts, in columns; 0 for none. */
export function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0);
}

/** Text followed by spaces up to `width` columns. */
export function padRight(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** Text after spaces, `width` columns in all. */
export function padLeft(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text;
}
