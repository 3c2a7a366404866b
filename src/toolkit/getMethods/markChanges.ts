import type { Row } from './entryRows';

/** Precedes the previous value, and follows a new line inside a value. */
const changeMark = '←';

/**
 * The rows with changes since `before` marked in their notes: `← was 41`; inside a struct, map or cell the new lines
 * are marked. Without `before`, nothing is marked.
 */
export function markChanges(rows: readonly Row[], before: readonly Row[] | undefined): Row[] {
  if (before === undefined) {
    return [...rows];
  }
  const keyOf = ({ index, name }: Row): string => `${index} ${name ?? ''}`;
  const known = new Map(before.map((row) => [keyOf(row), row]));
  return rows.map((row) => {
    const old = known.get(keyOf(row));
    if (old === undefined) {
      return { ...row, note: noted(row.note, `${changeMark} new`), changed: { lines: new Set() } };
    }
    const inside = changedInside(row.lines, old.lines);
    if (row.value === old.value && inside.size === 0 && row.lines.length === old.lines.length) {
      return row;
    }
    const was = row.value === old.value ? 'changed inside' : `was ${old.value}`;
    const lines = row.lines.map((line, index) =>
      inside.has(index) ? `${line.trimEnd()}  ${changeMark}` : line,
    );
    return { ...row, note: noted(row.note, `${changeMark} ${was}`), lines, changed: { lines: inside } };
  });
}

/** The lines that are new in the value. */
function changedInside(lines: readonly string[], before: readonly string[]): Set<number> {
  const known = new Set(before.map((line) => line.trim()));
  return new Set(lines.flatMap((line, index) => (known.has(line.trim()) ? [] : [index])));
}

function noted(note: string, mark: string): string {
  return note === '' ? mark : `${note}  ${mark}`;
}
