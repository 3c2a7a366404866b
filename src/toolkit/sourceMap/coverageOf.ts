import { callPaths } from './callPaths';
import { placeAt } from './mapSteps';
import type { MappedSteps } from './mapSteps';
import type { SourceMap } from './sourceMap';

/** What ran of a source. */
export interface SourceCoverage {
  file: string;
  /** By line that has code: how often execution came to it. */
  lines: ReadonlyMap<number, number>;
  /** The functions that have code, with how often execution came into them. */
  functions: readonly { name: string; line: number; calls: number }[];
}

/**
 * What executions ran of their sources, and what not: only lines of methods that are mapped, because nothing is known of
 * others. Files of libraries are left out.
 */
export function coverageOf(runs: readonly MappedSteps[]): SourceCoverage[] {
  const lines = new Map<string, Map<number, number>>();
  const calls = new Map<string, number>();
  for (const map of new Set(runs.map((run) => run.map))) {
    addLines(map, lines);
  }
  for (const run of runs) {
    const paths = callPaths(run);
    let last = -1;
    for (let step = 0; step < run.recording.steps; step += 1) {
      const place = placeAt(run, step);
      const here = lines.get(place?.file ?? '');
      if (place !== undefined && here !== undefined && run.place[step] !== last) {
        here.set(place.line, (here.get(place.line) ?? 0) + 1);
      }
      if (place !== undefined && paths.isCall(step)) {
        const key = `${place.function} ${place.file}`;
        calls.set(key, (calls.get(key) ?? 0) + 1);
      }
      last = run.place[step]!;
    }
  }
  return [...lines].map(([file, counted]) => ({
    file,
    lines: new Map([...counted].sort(([a], [b]) => a - b)),
    functions: functionsOf(runs, file, counted, calls),
  }));
}

/** The report in the format of lcov (geninfo's tracefile). */
export function lcovText(files: readonly SourceCoverage[], nameOf: (file: string) => string): string {
  return files
    .flatMap(({ file, lines, functions }) => [
      'TN:',
      `SF:${nameOf(file)}`,
      ...functions.map(({ name, line }) => `FN:${line},${name}`),
      ...functions.map(({ name, calls }) => `FNDA:${calls},${name}`),
      `FNF:${functions.length}`,
      `FNH:${functions.filter(({ calls }) => calls > 0).length}`,
      ...[...lines].map(([line, hits]) => `DA:${line},${hits}`),
      `LF:${lines.size}`,
      `LH:${[...lines.values()].filter((hits) => hits > 0).length}`,
      'end_of_record',
      '',
    ])
    .join('\n');
}

/** The lines with code, none of which has run. */
function addLines({ methods, places }: SourceMap, lines: Map<string, Map<number, number>>): void {
  const used = new Set(methods.flatMap(({ marks }) => marks.map(({ place }) => place)));
  for (const index of used) {
    const place = places[index];
    if (place !== undefined && !place.file.startsWith('@')) {
      const here = lines.get(place.file) ?? new Map<number, number>();
      lines.set(place.file, here.set(place.line, here.get(place.line) ?? 0));
    }
  }
}

function functionsOf(
  runs: readonly MappedSteps[],
  file: string,
  lines: ReadonlyMap<number, number>,
  calls: ReadonlyMap<string, number>,
): SourceCoverage['functions'] {
  const found = new Map(
    runs.flatMap(({ map }) =>
      map.functions.filter((one) => one.file === file).map((one) => [`${one.line} ${one.name}`, one]),
    ),
  );
  return [...found.values()]
    .filter(({ line, end }) => [...lines.keys()].some((one) => one >= line && one <= end))
    .map(({ name, line }) => ({ name, line, calls: calls.get(`${name} ${file}`) ?? 0 }));
}
