import type { CountedLine, GasByLine } from './gasByLine';
import { lineKey } from './gasByLine';
import { groupBy } from '../base/collections';

/** A line of two runs; of one only if it was added or removed. */
export interface ComparedLine extends Omit<CountedLine, 'gas'> {
  /** Undefined if the line was added. */
  before: number | undefined;
  /** Undefined if the line was removed. */
  now: number | undefined;
  change: number;
  /** Its text before, if it was edited. */
  was?: string | undefined;
}

/** What two runs of a method used. The changes of the lines and of what has no line are the change of the total. */
export interface GasComparison {
  before: number;
  now: number;
  change: number;
  /** The biggest change first. */
  lines: readonly ComparedLine[];
  /** What has no line. */
  unmapped: { before: number; now: number; change: number };
}

/**
 * Compares two runs line by line. Lines are the same if their texts are: in the same function, else in the same file,
 * else anywhere, so that a line that was moved is not new. Of the others, those of the same function that are much alike
 * are one that was edited.
 */
export function compareGas(before: GasByLine, now: GasByLine): GasComparison {
  const left = new Map(before.lines.map((line) => [lineKey(line), line]));
  const found = new Map<CountedLine, CountedLine>();
  const likenesses: ((line: CountedLine) => string)[] = [
    lineKey,
    ({ file, text }) => JSON.stringify([file, text]),
    ({ text }) => text,
  ];
  for (const likeness of likenesses) {
    const byLikeness = groupBy(left.values(), likeness);
    for (const line of now.lines) {
      const same = found.has(line) ? undefined : byLikeness.get(likeness(line))?.shift();
      if (same !== undefined) {
        found.set(line, same);
        left.delete(lineKey(same));
      }
    }
  }
  for (const [line, same] of editedLines(
    [...left.values()],
    now.lines.filter((one) => !found.has(one)),
  )) {
    found.set(line, same);
    left.delete(lineKey(same));
  }
  const lines = [
    ...now.lines.map((line) => {
      const same = found.get(line);
      const was = same === undefined || same.text === line.text ? undefined : same.text;
      return { ...compared(line, same?.gas, line.gas), ...(was === undefined ? {} : { was }) };
    }),
    ...[...left.values()].map((line) => compared(line, line.gas, undefined)),
  ];
  const unmapped = { before: withoutLine(before), now: withoutLine(now) };
  return {
    before: before.gas,
    now: now.gas,
    change: now.gas - before.gas,
    lines: lines.sort((a, b) => Math.abs(b.change) - Math.abs(a.change)),
    unmapped: { ...unmapped, change: unmapped.now - unmapped.before },
  };
}

function compared(
  { file, function: around, text, line }: CountedLine,
  before: number | undefined,
  now: number | undefined,
): ComparedLine {
  return { file, function: around, text, line, before, now, change: (now ?? 0) - (before ?? 0) };
}

function withoutLine({ gas, lines }: GasByLine): number {
  return lines.reduce((rest, line) => rest - line.gas, gas);
}

/** The part of a line's text that must have stayed for it to be the same line, edited. */
const leastAlike = 0.4;
/** Added or removed lines of a function that are searched for edited ones. */
const mostSearched = 100;

/** By line that was added: the removed line of its function that it is most like. Each is used once. */
function editedLines(
  removed: readonly CountedLine[],
  added: readonly CountedLine[],
): Map<CountedLine, CountedLine> {
  const pairs = added.slice(0, 10 * mostSearched).flatMap((line) =>
    removed
      .filter((one) => one.file === line.file && one.function === line.function)
      .slice(0, mostSearched)
      .map((one) => ({ line, one, alike: likenessOf(one.text, line.text) })),
  );
  const found = new Map<CountedLine, CountedLine>();
  const used = new Set<CountedLine>();
  for (const { line, one, alike } of pairs.sort((a, b) => b.alike - a.alike)) {
    if (alike >= leastAlike && !found.has(line) && !used.has(one)) {
      found.set(line, one);
      used.add(one);
    }
  }
  return found;
}

/** How much of two texts is the same at the beginning and at the end, from 0 to 1. */
function likenessOf(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) {
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) {
    end += 1;
  }
  return (start + end) / Math.max(one.length, other.length, 1);
}
