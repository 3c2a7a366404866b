import type { Profile } from '../sourceMap/profileOf';

/** The gas of a run, line by line, without anything that changes when lines move. */
export interface GasByLine {
  /** Of the whole run; more than that of its lines if something has no line. */
  gas: number;
  /** Lines with the same text in the same function are one. */
  lines: readonly CountedLine[];
}

/** The gas of a line. */
export interface CountedLine {
  file: string;
  /** Empty outside functions. */
  function: string;
  /** Without its indent. */
  text: string;
  gas: number;
  /** Where it was first, from 1; a baseline does not say. */
  line?: number | undefined;
}

/**
 * What a profile says, by the text of lines.
 *
 * @param nameOf how files are named
 */
export function gasByLine({ gasUsed, lines }: Profile, nameOf: (file: string) => string): GasByLine {
  const counted = lines.map(({ file, function: around = '', text, gas, line }) => {
    return { file: nameOf(file), function: around, text: text.trim(), gas, line };
  });
  return sumByLine([{ gas: gasUsed, lines: counted }]);
}

/** The gas of several runs together. */
export function sumByLine(runs: readonly GasByLine[]): GasByLine {
  const counted = new Map<string, CountedLine>();
  for (const one of runs.flatMap(({ lines }) => lines)) {
    const key = lineKey(one);
    const known = counted.get(key);
    const line = Math.min(known?.line ?? Infinity, one.line ?? Infinity);
    counted.set(key, {
      ...one,
      gas: one.gas + (known?.gas ?? 0),
      line: Number.isFinite(line) ? line : undefined,
    });
  }
  return { gas: runs.reduce((sum, { gas }) => sum + gas, 0), lines: [...counted.values()] };
}

/** Identifies a line by its text, in its function. */
export function lineKey({
  file,
  function: around,
  text,
}: Pick<CountedLine, 'file' | 'function' | 'text'>): string {
  return JSON.stringify([file, around, text]);
}
