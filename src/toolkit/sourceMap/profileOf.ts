import { callPaths } from './callPaths';
import { placeAt } from './mapSteps';
import type { MappedSteps } from './mapSteps';
import { functionAt } from './sourceFunctions';
import type { SourceMap } from './sourceMap';

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

/** Adds up the gas of executions by line and by function. */
export function profileOf(runs: readonly MappedSteps[]): Profile {
  const lines = new Map<string, LineGas>();
  const functions = new Map<string, FunctionGas>();
  const unmapped = { gas: 0, steps: 0 };
  for (const run of runs) {
    const { recording } = run;
    unmapped.gas += recording.gasMissing;
    unmapped.steps += recording.stepsMissing;
    const paths = callPaths(run);
    for (let step = 0; step < recording.steps; step += 1) {
      const place = placeAt(run, step);
      const gas = recording.gas[step]!;
      if (place === undefined) {
        unmapped.gas += gas;
        unmapped.steps += 1;
        continue;
      }
      const { file, line, function: name = '(outside functions)' } = place;
      const one = keep(lines, `${line} ${file}`, () => ({ file, line, gas: 0, steps: 0 }));
      one.gas += gas;
      one.steps += 1;
      const around = keep(functions, `${name} ${file}`, () => {
        return { name, file, line: declared(run.map, file, line) ?? line, gas: 0, calls: 0 };
      });
      around.line = Math.min(around.line, line);
      around.gas += gas;
      around.calls += paths.isCall(step) ? 1 : 0;
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

function declared({ functions }: SourceMap, file: string, line: number): number | undefined {
  const own = functions.filter((one) => one.file === file);
  return functionAt(own, line)?.line;
}

function keep<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
