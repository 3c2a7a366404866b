import type { MappedSteps } from './mapSteps';
import { callPaths, placeAt } from './mapSteps';
import { functionAt } from './sourceFunctions';
import type { SourceMap, SourcePlace } from './sourceMap';
import { isLibraryFile } from './sourceMap';

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
  /** What a library's functions use, and the selection of a method, counts for the line that called it. */
  foldsCalls?: boolean | undefined;
}

/** Adds up the gas of executions by line and by function. */
export function profileOf(
  runs: readonly MappedSteps[],
  { foldsCalls = false }: ProfileOptions = {},
): Profile {
  const sums = new ProfileSums();
  for (const run of runs) {
    const { recording } = run;
    sums.addUnmapped({ gas: recording.gasMissing, steps: recording.stepsMissing });
    const paths = callPaths(run);
    // Steps of one place are the same line and function.
    const known = new Map<SourcePlace, { line: LineGas; around: FunctionGas }>();
    let own: SourcePlace | undefined;
    const root = recording.cells.indexOf(run.map.codeHash);
    const selects = (step: number): boolean => root >= 0 && recording.cell[step] === root;
    for (let step = 0; step < recording.steps; step += 1) {
      const at = placeAt(run, step);
      own = at === undefined || isLibraryFile(at.file) ? own : at;
      const isFolded = foldsCalls && (at === undefined ? selects(step) : isLibraryFile(at.file));
      const place = isFolded ? (own ?? at) : at;
      const gas = recording.gas[step]!;
      if (place === undefined) {
        sums.addUnmapped({ gas, steps: 1 });
        continue;
      }
      const counted = keep(known, place, () => sums.countersOf(run.map, place));
      counted.line.gas += gas;
      counted.line.steps += 1;
      counted.around.gas += gas;
      counted.around.calls += place === at && paths.isCall(step) ? 1 : 0;
    }
  }
  return sums.profile();
}

/** The profiles of several executions as one. */
export function mergeProfiles(profiles: readonly Profile[]): Profile {
  const sums = new ProfileSums();
  profiles.forEach((profile) => sums.add(profile));
  return sums.profile();
}

/** The sums of a profile while it is made. */
class ProfileSums {
  readonly #lines = new Map<string, LineGas>();
  readonly #functions = new Map<string, FunctionGas>();
  readonly #unmapped = { gas: 0, steps: 0 };

  /** The sums to which steps of a place belong. */
  countersOf(
    map: SourceMap,
    { file, line, text, function: name }: SourcePlace,
  ): { line: LineGas; around: FunctionGas } {
    const shown = name ?? '(outside functions)';
    const counted = this.#line({ file, line, text, function: name });
    return { line: counted, around: this.#around(shown, file, declared(map, file, line) ?? line, line) };
  }

  addUnmapped({ gas, steps }: Profile['unmapped']): void {
    this.#unmapped.gas += gas;
    this.#unmapped.steps += steps;
  }

  add({ lines, functions, unmapped }: Profile): void {
    this.addUnmapped(unmapped);
    for (const line of lines) {
      const sum = this.#line(line);
      sum.gas += line.gas;
      sum.steps += line.steps;
    }
    for (const { name, file, line, gas, calls } of functions) {
      const sum = this.#around(name, file, line, line);
      sum.gas += gas;
      sum.calls += calls;
    }
  }

  profile(): Profile {
    const byGas = (a: { gas: number }, b: { gas: number }): number => b.gas - a.gas;
    const lines = [...this.#lines.values()];
    return {
      gasUsed: lines.reduce((sum, { gas }) => sum + gas, this.#unmapped.gas),
      functions: [...this.#functions.values()].sort(byGas),
      lines: lines.sort(byGas),
      unmapped: this.#unmapped,
    };
  }

  #line({ file, line, text, function: name }: Omit<LineGas, 'gas' | 'steps'>): LineGas {
    return keep(this.#lines, `${line} ${file}`, () => {
      return { file, line, text, function: name, gas: 0, steps: 0 };
    });
  }

  /** A library's function is where its first line ran. */
  #around(name: string, file: string, begin: number, line: number): FunctionGas {
    const around = keep(this.#functions, `${name} ${file}`, () => {
      return { name, file, line: begin, gas: 0, calls: 0 };
    });
    around.line = Math.min(around.line, line);
    return around;
  }
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
