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
  const counted = new Map<string, CountedLine>();
  for (const { file, function: around = '', text, gas, line } of lines) {
    const one: CountedLine = { file: nameOf(file), function: around, text: text.trim(), gas, line };
    const key = lineKey(one);
    const known = counted.get(key);
    counted.set(
      key,
      known === undefined
        ? one
        : { ...known, gas: known.gas + gas, line: Math.min(known.line ?? line, line) },
    );
  }
  return { gas: gasUsed, lines: [...counted.values()] };
}

/** Identifies a line by its text, in its function. */
export function lineKey({ file, function: around, text }: Omit<CountedLine, 'gas'>): string {
  return JSON.stringify([file, around, text]);
}
