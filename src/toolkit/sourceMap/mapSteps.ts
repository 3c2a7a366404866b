import type { Recording } from '../recording/recording';
import { instructionAt, stackTextAt } from '../recording/recording';
import { splitStack } from '../recording/splitStack';
import type { SourceBranch, SourceMap, SourcePlace } from './sourceMap';

/** The steps of an execution, and the lines that they are from. */
export interface MappedSteps {
  readonly recording: Recording;
  readonly map: SourceMap;
  /** By step: index of its place in the map; -1 if it has none. */
  readonly place: Int32Array;
  /**
   * By step: index of the names of the stack's slots before it in the map; -1 if they are not known.
   */
  readonly names: Int32Array;
  /** By step: index of the branch in the map that it decides; -1 if it decides none, or it is not certain which. */
  readonly branch: Int32Array;
  /** By step: index of its method in the map; -1 if it has no line. */
  readonly method: Int16Array;
  /** By step: index of the method that was selected last, with or without lines; -1 before. */
  readonly selected: Int16Array;
  /** By step: 1 if a method begins there. */
  readonly entry: Uint8Array;
}

/** The line of a step. */
export function placeAt({ map, place }: MappedSteps, step: number): SourcePlace | undefined {
  return map.places[place[step] ?? -1];
}

/** A mark of a map, with its method. */
interface Candidate {
  method: number;
  /** Index in the method's marks; -1 for a method that was refused and has this cell, too. */
  index: number;
}

/**
 * Joins an execution and the map of the code that ran: each step gets the line of its instruction. Steps without an
 * instruction of their own, such as an implicit return, have the line of the one before them. Cells that are the code of
 * several lines are told apart by how the execution got there; where that is not certain, the step has no line.
 */
export function mapSteps(recording: Recording, map: SourceMap): MappedSteps {
  const { steps } = recording;
  const mapped = {
    recording,
    map,
    place: new Int32Array(steps).fill(-1),
    names: new Int32Array(steps).fill(-1),
    branch: new Int32Array(steps).fill(-1),
    method: new Int16Array(steps).fill(-1),
    selected: new Int16Array(steps).fill(-1),
    entry: new Uint8Array(steps),
  };
  new StepMapper(mapped).run();
  return mapped;
}

class StepMapper {
  readonly #at: readonly ReadonlyMap<number, readonly Candidate[]>[];
  readonly #methods = new Map<number, number>();
  /** By method: the index of each block's first mark. */
  readonly #first: readonly (readonly number[])[];
  /** By method: blocks that have begun. */
  readonly #begun: readonly Set<number>[];
  #selected = -1;
  #last: Candidate | undefined;

  constructor(private readonly mapped: MappedSteps) {
    const { recording, map } = mapped;
    this.#at = indexMarks(map, recording.cells);
    map.methods.forEach(({ id }, index) => this.#methods.set(id, index));
    this.#first = map.methods.map(({ marks, parents }) => {
      const first = parents.map(() => marks.length);
      marks.forEach(({ block }, index) => (first[block] = Math.min(first[block]!, index)));
      return first;
    });
    this.#begun = map.methods.map(() => new Set<number>());
  }

  run(): void {
    const { recording, place, selected } = this.mapped;
    for (let step = 0; step < recording.steps; step += 1) {
      if (recording.cell[step] === -1) {
        this.#implicit(step);
      } else {
        this.#explicit(step);
      }
      selected[step] = this.#selected;
      if (place[step] === -1 && instructionAt(recording, step).startsWith('DICTIGETJMP')) {
        this.#selected = this.#methods.get(selectedId(stackTextAt(recording, step))) ?? -1;
      }
    }
  }

  #implicit(step: number): void {
    const { place, method } = this.mapped;
    if (step > 0) {
      place[step] = place[step - 1]!;
      method[step] = method[step - 1]!;
    }
  }

  #explicit(step: number): void {
    const { recording, map, place, names, branch, method, entry } = this.mapped;
    const candidates = this.#at[recording.cell[step]!]!.get(recording.offset[step]!) ?? [];
    const chosen = this.#choose(candidates);
    const [only, another] = candidates;
    if (this.#selected === -1 && only !== undefined && another === undefined) {
      // Tact's codes select the methods that receive messages before they look into the dictionary.
      this.#selected = only.method;
    }
    this.#last = chosen;
    if (chosen !== undefined) {
      const mark = map.methods[chosen.method]!.marks[chosen.index]!;
      place[step] = mark.place;
      names[step] = mark.names;
      branch[step] = mark.branch;
      method[step] = chosen.method;
      entry[step] = this.#beginsMethod(chosen) ? 1 : 0;
      this.#begun[chosen.method]!.add(mark.block);
    } else {
      // What is the same for all of them is certain all the same.
      const marks = candidates.map((one) => map.methods[one.method]!.marks[one.index]);
      place[step] = onlyOne(marks.map((mark) => mark?.place ?? -1));
      branch[step] = onlyOne(marks.map((mark) => mark?.branch ?? -1));
    }
  }

  #choose(candidates: readonly Candidate[]): Candidate | undefined {
    const known = candidates.filter(({ index }) => index >= 0);
    if (candidates.length <= 1) {
      return known[0];
    }
    const only = (isRight: (candidate: Candidate) => boolean): Candidate | undefined => {
      const right = known.filter(isRight);
      return right.length === 1 ? right[0] : undefined;
    };
    return (
      only((one) => this.#followsLast(one)) ??
      only((one) => this.#beginsMethod(one)) ??
      (known.length === candidates.length
        ? only((one) => !this.#begins(one) && this.#begun[one.method]!.has(this.#blockOf(one)))
        : undefined)
    );
  }

  /** Whether it is in the block of the last instruction, or the first one of a block that the last holds. */
  #followsLast(candidate: Candidate): boolean {
    const last = this.#last;
    if (last?.method !== candidate.method) {
      return false;
    }
    const block = this.#blockOf(candidate);
    return this.#begins(candidate)
      ? this.#parentOf(candidate) === last.index
      : this.#blockOf(last) === block && last.index < candidate.index;
  }

  #beginsMethod(candidate: Candidate): boolean {
    return this.#selected === candidate.method && this.#begins(candidate) && this.#parentOf(candidate) === -1;
  }

  /** Whether it is the first instruction of its block. */
  #begins(candidate: Candidate): boolean {
    return this.#first[candidate.method]![this.#blockOf(candidate)] === candidate.index;
  }

  #parentOf(candidate: Candidate): number {
    return this.mapped.map.methods[candidate.method]!.parents[this.#blockOf(candidate)]!;
  }

  #blockOf({ method, index }: Candidate): number {
    return this.mapped.map.methods[method]!.marks[index]!.block;
  }
}

/** The number that all of them are; -1 if they differ, or there is none. */
function onlyOne(numbers: readonly number[]): number {
  return new Set(numbers).size === 1 ? numbers[0]! : -1;
}

/** The id of the method that is selected: below the dictionary and the length of its keys. */
function selectedId(stack: string): number {
  const before = stack.slice(0, stack.lastIndexOf(' C{'));
  return Number(before.slice(before.lastIndexOf(' ') + 1));
}

/** By cell of the recording: the marks at each offset. */
function indexMarks({ methods }: SourceMap, cells: readonly string[]): Map<number, Candidate[]>[] {
  const byCell = new Map(cells.map((cell) => [cell, new Map<number, Candidate[]>()]));
  for (const [method, { marks }] of methods.entries()) {
    for (const [index, { cell, offset }] of marks.entries()) {
      const here = byCell.get(cell);
      here?.set(offset, [...(here.get(offset) ?? []), { method, index }]);
    }
  }
  for (const [method, { cells: refused = [] }] of methods.entries()) {
    for (const cell of refused) {
      byCell.get(cell)?.forEach((candidates) => candidates.push({ method, index: -1 }));
    }
  }
  return [...byCell.values()];
}

/** Which functions were running at each step. */
interface CallPaths {
  /** Nodes of the tree of calls; the first is the root, which is no function. */
  readonly nodes: readonly CallNode[];
  /** By step: index of its node. */
  readonly node: Int32Array;
  /** Whether a call begins at a step. */
  isCall(step: number): boolean;
}

/** A function that was called by the one of another node. */
interface CallNode {
  /** Index of the caller's node; -1 for the root. */
  parent: number;
  /** Undefined for the root. */
  name: string | undefined;
  file: string;
  /** The line where it began. */
  line: number;
}

/**
 * Follows the calls of an execution by its lines: functions are often inlined, so that no instruction calls them. A
 * function that is not running begins when one of its lines runs, and ends when a line of one of its callers does.
 */
export function callPaths(steps: MappedSteps): CallPaths {
  const count = steps.recording.steps;
  const nodes: CallNode[] = [{ parent: -1, name: undefined, file: '', line: 0 }];
  const children = new Map<string, number>();
  const node = new Int32Array(count);
  const begins = new Uint8Array(count);
  let current = 0;
  let last: SourcePlace | undefined;
  for (let step = 0; step < count; step += 1) {
    const place = placeAt(steps, step);
    // On the same line, the same function is running.
    if (place !== undefined && (place !== last || steps.entry[step] === 1)) {
      last = place;
      const { file, line, function: name = '' } = place;
      const running = steps.entry[step] === 1 ? -1 : callerWith(nodes, current, name, file);
      if (running >= 0) {
        current = running;
      } else {
        const key = `${current} ${name} ${file}`;
        const known = children.get(key) ?? nodes.push({ parent: current, name, file, line }) - 1;
        children.set(key, known);
        current = known;
        begins[step] = 1;
      }
    }
    // A step without a line belongs to no function.
    node[step] = place === undefined ? 0 : current;
  }
  return { nodes, node, isCall: (step) => begins[step] === 1 };
}

/** The nearest node of a function on the way to the root; -1 if it is not running. */
function callerWith(nodes: readonly CallNode[], from: number, name: string, file: string): number {
  for (let at = from; at > 0; at = nodes[at]!.parent) {
    if (nodes[at]!.name === name && nodes[at]!.file === file) {
      return at;
    }
  }
  return -1;
}

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
