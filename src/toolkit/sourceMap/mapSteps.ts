import { instructionAt, stackTextAt } from '../recording/recording';
import type { Recording } from '../recording/recording';
import type { SourceMap, SourcePlace } from './sourceMap';

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
