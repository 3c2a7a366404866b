import type { ResultLine } from '../getMethods/resultLine';

/** A line of a document changed by another run. */
export interface ChangedLine {
  /** Zero-based, in the new document. */
  line: number;
  /** The previous text from the first difference on; absent for a new line. */
  before?: string;
  /** Where the two begin to differ, in UTF-16 code units from the start of the line. */
  column: number;
}

/** The lines of a result's document that differ from the previous lines with the same names. */
export function changedLines(before: readonly ResultLine[], after: readonly ResultLine[]): ChangedLine[] {
  const known = new Map(
    before.flatMap(({ key, fields }) => (key === undefined ? [] : [[key, fields ?? []]])),
  );
  return after.flatMap(({ key, fields = [] }, line): ChangedLine[] => {
    const [first] = fields;
    if (key === undefined || first === undefined) {
      return [];
    }
    const old = known.get(key);
    if (old === undefined) {
      return [{ line, column: first.column }];
    }
    const at = fields.findIndex(({ text }, index) => text !== old[index]?.text);
    const field = fields[at];
    if (field === undefined) {
      return [];
    }
    const was = old[at]?.text ?? '';
    const from = firstDifference(was, field.text);
    const rest = old.slice(at + 1).map(({ text }) => text);
    const text = [was.slice(from), ...rest].filter((part) => part !== '').join('  ');
    return [{ line, column: field.column + from, before: text.trim() }];
  });
}

/** The start of the first word that differs. */
function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) {
    at++;
  }
  // Grouped digits are one word: a space between digits belongs to the number.
  let start = at;
  let isGroup = true;
  for (; start > 0; start--) {
    const character = a.charAt(start - 1);
    if (character === ' ' ? !isGroup || !/\d/.test(a.charAt(start - 2)) : /\s/.test(character)) {
      break;
    }
    isGroup = character === ' ' || (isGroup && /\d/.test(character));
  }
  return start;
}
