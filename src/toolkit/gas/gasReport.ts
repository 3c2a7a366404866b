import type { MappedSteps } from '../sourceMap/mapSteps';
import { mergeProfiles, profileOf } from '../sourceMap/profileOf';
import type { FunctionGas, LineGas, Profile } from '../sourceMap/profileOf';
import { compareGas } from './compareGas';
import type { GasComparison } from './compareGas';
import { refusedInRun } from '../sourceMap/thrownAt';
import type { BaselineGas } from './gasBaseline';
import { gasByLine, lineKey, sumByLine } from './gasByLine';

/** A run whose gas is known line by line. */
export interface MeasuredRun {
  profile: Profile;
  /** Sentences about the methods without lines that ran. */
  refused: readonly string[];
}

/** Gas, and how it differs from the baseline, as far as that has lines. */
export type Compared<T> = T & { change?: number | undefined };

/** Where the gas of runs was spent. */
export interface GasReport {
  gasUsed: number;
  /** Most gas first. */
  functions: readonly Compared<FunctionGas>[];
  /** Most gas first. Of lines with the same text in the same function, the first has the change of all. */
  lines: readonly Compared<LineGas>[];
  unmapped: { gas: number; steps: number };
  refused: readonly string[];
  /** The runs that have a baseline with lines, and that baseline; undefined if none has. */
  comparison: GasComparison | undefined;
}

/** Adds up the gas of a run. What a library's functions use, and the selection of a method, counts for the line that
 * called it. */
export function measureRun(steps: MappedSteps): MeasuredRun {
  return { profile: profileOf([steps], { foldsCalls: true }), refused: refusedInRun(steps) };
}

/**
 * Adds up the gas of runs, and compares it with their baselines.
 *
 * @param runs each with the baseline of its method or message
 * @param nameOf how files are named in the baseline
 */
export function gasReport(
  runs: readonly (MeasuredRun & { baseline?: BaselineGas | undefined })[],
  nameOf: (file: string) => string,
): GasReport {
  const all = mergeProfiles(runs.map(({ profile }) => profile));
  const known = runs.flatMap(({ profile, baseline }) =>
    typeof baseline === 'object' ? [{ profile, baseline }] : [],
  );
  const comparison =
    known.length === 0
      ? undefined
      : compareGas(
          sumByLine(known.map(({ baseline }) => baseline)),
          sumByLine(known.map(({ profile }) => gasByLine(profile, nameOf))),
        );
  const changes = new Map(comparison?.lines.map((line) => [lineKey(line), line.change]));
  const around = new Map<string, number>();
  for (const { file, function: name, change } of comparison?.lines ?? []) {
    around.set(`${name} ${file}`, (around.get(`${name} ${file}`) ?? 0) + change);
  }
  const firstLines = new Map<string, LineGas>();
  for (const line of all.lines) {
    const key = keyOf(line, nameOf);
    const first = firstLines.get(key);
    firstLines.set(key, first === undefined || line.line < first.line ? line : first);
  }
  return {
    ...{ gasUsed: all.gasUsed, unmapped: all.unmapped, comparison },
    functions: all.functions.map((one) => ({
      ...one,
      change: around.get(`${one.name} ${nameOf(one.file)}`),
    })),
    lines: all.lines.map((line) => {
      const key = keyOf(line, nameOf);
      return { ...line, change: firstLines.get(key) === line ? changes.get(key) : undefined };
    }),
    refused: [...new Set(runs.flatMap(({ refused }) => refused))],
  };
}

function keyOf({ file, function: name = '', text }: LineGas, nameOf: (file: string) => string): string {
  return lineKey({ file: nameOf(file), function: name, text: text.trim() });
}
