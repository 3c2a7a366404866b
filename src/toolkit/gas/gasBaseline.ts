import { WorkbenchError } from '../errors';
import { limits, overLimitError } from '../limits';

/** Gas by key. */
export type GasBaseline = ReadonlyMap<string, number>;

/** The file in a workspace folder: meant to be committed, so it is not in `.ton`. */
export const baselineFile = 'gas-baseline.json';

/**
 * Reads a baseline file.
 * @throws WorkbenchError `gas-baseline-unreadable`, `over-limit` (input)
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
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw unreadable(undefined);
  }
  return new Map(
    Object.entries(content as Record<string, unknown>).flatMap(([key, gas]) =>
      typeof gas === 'number' && Number.isSafeInteger(gas) && gas >= 0 ? [[key, gas]] : [],
    ),
  );
}

/** The text of a baseline file: one line per key, sorted by code units, so that it is the same everywhere. */
export function printBaseline(baseline: GasBaseline): string {
  const sorted = [...baseline].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`;
}

/** A baseline with the runs of this session; what did not run keeps its old figure. */
export function mergeBaseline(before: GasBaseline, runs: ReadonlyMap<string, number>): GasBaseline {
  return new Map([...before, ...runs]);
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
