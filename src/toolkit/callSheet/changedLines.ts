import { withoutTrailing } from '../text';

/** A line of a document that another run has changed. */
export interface ChangedLine {
  /** From 0, in the new text. */
  line: number;
  /** What stood there, without what both have in common in front; undefined for a line that is new. */
  before?: string;
  /** Where the two begin to differ, in UTF-16 code units from the beginning of the line. */
  column: number;
}

/**
 * The lines of a result's document that say something else than those of the run before. Lines are known by what they
 * begin with (`out  0`), so one that was added or has gone does not mark all that follow.
 */
export function changedLines(before: string, after: string): ChangedLine[] {
  const old = before.split('\n');
  const byKey = new Map(old.map((line, index) => [keyOf(line, index), line]));
  return after.split('\n').flatMap((line, index): ChangedLine[] => {
    const known = byKey.get(keyOf(line, index));
    // The wire only repeats what the rows above it say.
    if (/^ *(?:wire.*)?$/.test(line) || (known !== undefined && steady(known) === steady(line))) {
      return [];
    }
    if (known === undefined) {
      return [{ line: index, column: line.length - line.trimStart().length }];
    }
    const column = firstDifference(known, line);
    return [{ line: index, column, before: known.slice(column).trim() }];
  });
}

function keyOf(line: string, index: number): string {
  return /^ {2}(?:in|raw|out|wire)(?: +out)? +\S+/.exec(line)?.[0].replace(/ +/g, ' ') ?? `line ${index}`;
}

/** Without what differs from run to run and means nothing: how long it took, and at which block. */
function steady(line: string): string {
  const took = line.indexOf(' ms over v');
  const without =
    took < 0 ? line : withoutTrailing(line.slice(0, took), digits) + line.slice(took + ' ms over v3'.length);
  const block = without.lastIndexOf(', block ');
  const isLast = block >= 0 && withoutTrailing(without.slice(block + ', block '.length), digits) === '';
  return (isLast ? without.slice(0, block) : without).replaceAll(/ +/g, ' ').trimEnd();
}

/** Of a number in groups. */
const digits = '0123456789 ';

/** The beginning of the first word that differs. */
function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) {
    at++;
  }
  // A number's groups are one word: a blank between digits belongs to it.
  let start = at;
  let isGroup = true;
  for (; start > 0; start--) {
    const character = a.charAt(start - 1);
    if (character === ' ' ? !isGroup || !/\d/.test(a.charAt(start - 2)) : /\s/.test(character)) {
      break;
    }
    isGroup = character === ' ' || (isGroup && /\d/.test(character));
  }
  return start || at;
}
