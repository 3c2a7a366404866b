import { WorkbenchError, checkVersion } from '../base/errors';
import { limits, overLimitError } from '../base/limits';
import type { CountedLine, GasByLine } from './gasByLine';

/** The gas of a run: all that is known of some, and of others line by line. */
export type BaselineGas = number | GasByLine;

/** Gas by key. */
export type GasBaseline = ReadonlyMap<string, BaselineGas>;

/** The file in a workspace folder: meant to be committed, so it is not in `.ton`. */
export const baselineFile = 'gas-baseline.json';

/** Version 1 does not name it. A later one would have a key `version`, which no run has: each of theirs is two words. */
const baselineVersion = 1;

/** The gas of a whole run. */
export function totalGas(gas: BaselineGas): number;
export function totalGas(gas: BaselineGas | undefined): number | undefined;
export function totalGas(gas: BaselineGas | undefined): number | undefined {
  return typeof gas === 'object' ? gas.gas : gas;
}

/**
 * Reads a baseline file. Entries that are no figures are skipped.
 * @throws WorkbenchError `gas-baseline-unreadable`, `format-newer`, `over-limit` (input)
 */
export function readBaseline(text: string): GasBaseline {
  if (text.length > limits.gasBaseline.most) {
    throw overLimitError('gasBaseline', { what: `The file ${baselineFile}` });
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw unreadable(cause);
  }
  if (!isRecord(content)) {
    throw unreadable(undefined);
  }
  checkVersion(baselineFile, content, baselineVersion);
  const { version: _version, ...entries } = content;
  return new Map(
    Object.entries(entries).flatMap(([key, value]) => {
      const gas = isGas(value) ? value : isRecord(value) ? readByLine(value) : undefined;
      return gas === undefined ? [] : [[key, gas]];
    }),
  );
}

/**
 * The text of a baseline file: one line per key, and one per source line, sorted by code units, so that it is the same
 * everywhere and versions of it can be merged.
 */
export function printBaseline(baseline: GasBaseline): string {
  const printed = sorted(
    [...baseline].map(([key, gas]) => [
      key,
      typeof gas === 'number' ? gas : { gas: gas.gas, lines: printLines(gas.lines) },
    ]),
  );
  return `${JSON.stringify(printed, undefined, 2)}\n`;
}

/** A baseline with the runs of this session; what did not run keeps its old figure. */
export function mergeBaseline(before: GasBaseline, runs: GasBaseline): GasBaseline {
  const merged = new Map(before);
  for (const [key, gas] of runs) {
    const old = before.get(key);
    // Lines are true only of a run that used as much.
    const isSame = typeof gas === 'number' && typeof old === 'object' && old.gas === gas;
    merged.set(key, isSame ? old : gas);
  }
  return merged;
}

/** By file, by function, by text. */
function printLines(lines: readonly CountedLine[]): object {
  const files = new Map<string, Map<string, [string, number][]>>();
  for (const { file, function: around, text, gas } of lines) {
    const functions = files.get(file) ?? new Map<string, [string, number][]>();
    files.set(file, functions.set(around, [...(functions.get(around) ?? []), [text, gas]]));
  }
  return sorted(
    [...files].map(([file, functions]) => [
      file,
      sorted([...functions].map(([around, texts]) => [around, sorted(texts)])),
    ]),
  );
}

function readByLine({ gas, lines }: Record<string, unknown>): BaselineGas | undefined {
  if (!isGas(gas)) {
    return undefined;
  }
  const counted = entriesOf(lines).flatMap(([file, functions]) =>
    entriesOf(functions).flatMap(([around, texts]) =>
      entriesOf(texts).flatMap(([text, used]): CountedLine[] =>
        isGas(used) ? [{ file, function: around, text, gas: used }] : [],
      ),
    ),
  );
  // Lines that use more than the whole run were edited by hand.
  return counted.length === 0 || counted.reduce((sum, line) => sum + line.gas, 0) > gas
    ? gas
    : { gas, lines: counted };
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

function sorted(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function isGas(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'gas-baseline-unreadable',
    kind: 'input',
    message: `${baselineFile} is not a JSON object of names and gas.`,
    hint: 'Correct it, or delete it and save a new baseline.',
    cause,
  });
}
