import { instructionAt, stackTextAt } from '../recording/recording';
import { callPaths } from './callPaths';
import { placeAt } from './mapSteps';
import type { MappedSteps } from './mapSteps';
import { splitStack } from '../recording/splitStack';
import type { SourceBranch } from './sourceMap';

/** What one execution ran, in the numbers of its source map: plain data, so it moves between threads. */
export interface RunCounts {
  /** By place: how often execution came to it. */
  places: ReadonlyMap<number, number>;
  /** By function, as `name file`: how often execution came into it. */
  calls: ReadonlyMap<string, number>;
  /** By branch: how often it went each way. */
  branches: ReadonlyMap<number, readonly [first: number, second: number]>;
  /** The methods that were selected, by their numbers in the map. */
  methods: ReadonlySet<number>;
}

/** Counts what an execution ran. A step that failed before it went one way counts for neither. */
export function countRun(run: MappedSteps): RunCounts {
  const places = new Map<number, number>();
  const calls = new Map<string, number>();
  const branches = new Map<number, [number, number]>();
  const paths = callPaths(run);
  let last = -1;
  for (let step = 0; step < run.recording.steps; step += 1) {
    const index = run.place[step]!;
    if (index >= 0 && index !== last) {
      places.set(index, (places.get(index) ?? 0) + 1);
    }
    last = index;
    const place = placeAt(run, step);
    if (place !== undefined && paths.isCall(step)) {
      const key = `${place.function} ${place.file}`;
      calls.set(key, (calls.get(key) ?? 0) + 1);
    }
    const number = run.branch[step]!;
    const way = number < 0 ? undefined : wayAt(run, step, run.map.branches[number]!);
    if (way !== undefined) {
      const counted = branches.get(number) ?? [0, 0];
      counted[way] += 1;
      branches.set(number, counted);
    }
  }
  const methods = new Set([...run.selected].filter((method) => method >= 0));
  return { places, calls, branches, methods };
}

/** Which way a step went, by the value on the stack that decided. */
function wayAt(
  { recording }: MappedSteps,
  step: number,
  { depth, isNegated }: SourceBranch,
): 0 | 1 | undefined {
  // An exception that the VM threw itself is at the place of the instruction that failed.
  if (!/^(?:IF|THROW|CONDSEL)/.test(instructionAt(recording, step))) {
    return undefined;
  }
  const value = splitStack(stackTextAt(recording, step)).at(-1 - depth);
  if (value === undefined || !/^-?\d+$/.test(value)) {
    return undefined;
  }
  return (value !== '0') === isNegated ? 1 : 0;
}
