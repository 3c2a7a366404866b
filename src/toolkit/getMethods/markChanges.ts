import type { Row } from './entryRows';

/** What stands before the value that was there before, and after a new line inside a value. */
const changeMark = '←';

/**
 * The rows with what has changed since `before` marked in their notes: `← was 41`; inside a struct, map or cell the new
 * lines are marked. Without `before` nothing is.
 */
export function markChanges(rows: readonly Row[], before: readonly Row[] | undefined): Row[] {
  if (before === undefined) {
    return [...rows];
  }
  const known = new Map(before.map((row) => [row.index, row]));
  return rows.map((row) => {
    const old = known.get(row.index);
    if (old === undefined) {
      return { ...row, note: noted(row.note, `${changeMark} new`) };
    }
    const lines = markedLines(row.lines, old.lines);
    const isChanged = row.value !== old.value || lines.some((line, index) => line !== row.lines[index]);
    if (!isChanged && row.lines.length === old.lines.length) {
      return row;
    }
    const was = row.value === old.value ? 'changed inside' : `was ${old.value}`;
    return { ...row, note: noted(row.note, `${changeMark} ${was}`), lines };
  });
}

function markedLines(lines: readonly string[], before: readonly string[]): string[] {
  const known = new Set(before.map((line) => line.trim()));
  return lines.map((line) => (known.has(line.trim()) ? line : `${line.trimEnd()}  ${changeMark}`));
}

function noted(note: string, mark: string): string {
  return note === '' ? mark : `${note}  ${mark}`;
}
