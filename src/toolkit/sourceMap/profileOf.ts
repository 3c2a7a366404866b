import { callPaths } from './callPaths';
import { placeAt } from './mapSteps';
import type { MappedSteps } from './mapSteps';
import { functionAt } from './sourceFunctions';
import { isLibraryFile } from './sourceMap';
import type { SourceMap, SourcePlace } from './sourceMap';

/** Gas of a function's own lines. */
export interface FunctionGas {
  name: string;
  file: string;
  /** Where it is declared; for a library's function, its first line that ran. */
  line: number;
  /** Gas of its own lines, without the functions that it calls. */
  gas: number;
  /** How often execution came into it from another function; for inlined functions, too. */
  calls: number;
}

/** Gas of a line. */
export interface LineGas {
  file: string;
  line: number;
  /** The line without its indent. */
  text: string;
  /** Name of the function around it; undefined outside functions. */
  function: string | undefined;
  gas: number;
  steps: number;
}

/** Where the gas of executions went. The gas of all lines and of what has no line is `gasUsed`. */
export interface Profile {
  gasUsed: number;
  /** The most expensive first. */
  functions: readonly FunctionGas[];
  /** The most expensive first. */
  lines: readonly LineGas[];
  /** What has no line: the selection of the method, methods that were refused, and steps that the log has lost. */
  unmapped: { gas: number; steps: number };
}

/** How gas is added up. */
export interface ProfileOptions {
  /** What a library's functions use counts for the line that called them. */
  foldsLibraries?: boolean | undefined;
}

/** Adds up the gas of executions by line and by function. */
export function profileOf(
  runs: readonly MappedSteps[],
  { foldsLibraries = false }: ProfileOptions = {},
): Profile {
  const lines = new Map<string, LineGas>();
  const functions = new Map<string, FunctionGas>();
  const unmapped = { gas: 0, steps: 0 };
  for (const run of runs) {
    const { recording } = run;
    unmapped.gas += recording.gasMissing;
    unmapped.steps += recording.stepsMissing;
    const paths = callPaths(run);
    // Steps of one place are the same line and function.
    const known = new Map<SourcePlace, { line: LineGas; around: FunctionGas }>();
    let own: SourcePlace | undefined;
    for (let step = 0; step < recording.steps; step += 1) {
      const at = placeAt(run, step);
      const isFolded = foldsLibraries && at !== undefined && isLibraryFile(at.file);
      own = at === undefined || isLibraryFile(at.file) ? own : at;
      const place = isFolded ? (own ?? at) : at;
      const gas = recording.gas[step]!;
      if (place === undefined) {
        unmapped.gas += gas;
        unmapped.steps += 1;
        continue;
      }
      const counted = keep(known, place, () => countersOf(run.map, place, lines, functions));
      counted.line.gas += gas;
      counted.line.steps += 1;
      counted.around.gas += gas;
      counted.around.calls += place === at && paths.isCall(step) ? 1 : 0;
    }
  }
  const byGas = (a: { gas: number }, b: { gas: number }): number => b.gas - a.gas;
  const all = [...lines.values()];
  return {
    gasUsed: all.reduce((sum, { gas }) => sum + gas, unmapped.gas),
    functions: [...functions.values()].sort(byGas),
    lines: all.sort(byGas),
    unmapped,
  };
}

/** The sums to which steps of a place belong. */
function countersOf(
  map: SourceMap,
  { file, line, text, function: name }: SourcePlace,
  lines: Map<string, LineGas>,
  functions: Map<string, FunctionGas>,
): { line: LineGas; around: FunctionGas } {
  const shown = name ?? '(outside functions)';
  const around = keep(functions, `${shown} ${file}`, () => {
    return { name: shown, file, line: declared(map, file, line) ?? line, gas: 0, calls: 0 };
  });
  around.line = Math.min(around.line, line);
  return {
    line: keep(lines, `${line} ${file}`, () => ({ file, line, text, function: name, gas: 0, steps: 0 })),
    around,
  };
}

function declared({ functions }: SourceMap, file: string, line: number): number | undefined {
  const own = functions.filter((one) => one.file === file);
  return functionAt(own, line)?.line;
}

function keep<K, T>(known: Map<K, T>, key: K, make: () => T): T {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
