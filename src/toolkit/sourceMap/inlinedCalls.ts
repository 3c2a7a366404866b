import type { Activation } from './activation';
import type { MappedSteps } from './mapSteps';
import { lastWord } from './sourceFunctions';
import type { SourceCall } from './sourceMap';
import { isLibraryFile } from './sourceMap';

/** Where an inlined function has been since it began. */
interface Copy {
  /** Numbers of the places of its first and its last instruction. */
  first: number;
  last: number;
  /** Its instructions that ran: cell and bit offset. */
  ran: Set<number>;
}

/** More than the bit offsets in a cell. */
const cellBits = 1_024;

/** What the source says of functions that no instruction calls: who calls them, and whether they begin anew. */
export class InlinedCalls {
  readonly #copies = new Map<number, Copy>();
  readonly #calls = new Map<string, readonly SourceCall[]>();

  /** @param list the functions of the execution so far */
  constructor(
    private readonly lines: MappedSteps,
    private readonly list: readonly Activation[],
  ) {}

  /** The innermost running function whose source calls a function; the given one if its own source is not known. */
  callerOf(from: number, name: string): number {
    for (let index = from; index >= 0; index = this.list[index]?.parent ?? -1) {
      const one = this.list[index];
      if (one?.file === undefined || isLibraryFile(one.file)) {
        return from;
      }
      if (this.callsIn(one, name).length > 0) {
        return index;
      }
      if (!one.isInlined) {
        return from;
      }
    }
    return from;
  }

  /**
   * Whether a step of an inlined function that is running belongs to its next copy: behind others of its lines it comes
   * to its first one, at another instruction, and its caller has several calls of it. A loop comes back to the same.
   */
  isNextCopy(index: number, step: number): boolean {
    const { recording, place } = this.lines;
    const copy = this.#copies.get(index);
    const one = this.list[index];
    const caller = this.list[one?.parent ?? -1];
    return (
      copy !== undefined &&
      caller !== undefined &&
      recording.cell[step] !== -1 &&
      place[step] === copy.first &&
      copy.last !== copy.first &&
      !copy.ran.has(this.#instruction(step)) &&
      this.callsIn(caller, one?.name ?? '').length > 1
    );
  }

  /** Notes a step of a function. */
  note(index: number, step: number): void {
    const at = this.lines.place[step] ?? -1;
    if (this.list[index]?.isInlined !== true || this.lines.recording.cell[step] === -1) {
      return;
    }
    const copy = this.#copies.get(index) ?? { first: at, last: at, ran: new Set() };
    copy.last = at;
    copy.ran.add(this.#instruction(step));
    this.#copies.set(index, copy);
  }

  #instruction(step: number): number {
    const { cell, offset } = this.lines.recording;
    return (cell[step] ?? 0) * cellBits + (offset[step] ?? 0);
  }

  /** The calls of a function that the source of another one makes. */
  callsIn(caller: Pick<Activation, 'name' | 'file'>, name: string): readonly SourceCall[] {
    const key = JSON.stringify([caller.file, caller.name, lastWord(name)]);
    const known = this.#calls.get(key);
    if (known !== undefined) {
      return known;
    }
    const { functions, calls } = this.lines.map;
    const around = functions.find((one) => one.file === caller.file && one.name === caller.name);
    const found = calls.filter(
      (call) =>
        around !== undefined &&
        call.file === around.file &&
        call.name === lastWord(name) &&
        call.line >= around.line &&
        call.line <= around.end,
    );
    this.#calls.set(key, found);
    return found;
  }
}
