/**
 * Text in aligned columns.
 * @param {string[]} heads
 * @param {string[][]} rows
 * @param {Set<number>} [right] right-aligned columns
 */
export const table = (heads, rows, right = new Set()) => {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {string[]} */ row) =>
    row
      .map((cell, column) =>
        right.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return `${[line(heads), rule, ...rows.map(line)].join('\n')}\n`;
};
