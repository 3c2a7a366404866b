import type { CountedLine, GasByLine } from './gasByLine';
import { lineKey } from './gasByLine';

/** A line of two runs; of one only if it was added or removed. */
export interface ComparedLine extends Omit<CountedLine, 'gas'> {
  /** Undefined if the line was added. */
  before: number | undefined;
  /** Undefined if the line was removed. */
  now: number | undefined;
  change: number;
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
 * else anywhere, so that a line that was moved is not new.
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
    const byLikeness = new Map<string, CountedLine[]>();
    for (const line of left.values()) {
      const key = likeness(line);
      byLikeness.set(key, [...(byLikeness.get(key) ?? []), line]);
    }
    for (const line of now.lines) {
      const same = found.has(line) ? undefined : byLikeness.get(likeness(line))?.shift();
      if (same !== undefined) {
        found.set(line, same);
        left.delete(lineKey(same));
      }
    }
  }
  const lines = [
    ...now.lines.map((line) => compared(line, found.get(line)?.gas, line.gas)),
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
