import { NotAlignedError } from './alignBlocks';
import type { FiftListing, ListingInstruction, ListingProcedure } from './fiftListing';

/** What is known of an instruction. */
export interface KnownLine {
  /** Index of its line in the book of places; -1 if it is not known. */
  place: number;
  /** Index of the names of the stack's slots before it; -1 if they are not known. */
  names: number;
}

/** What marks of a listing mean. */
export interface MarkMeanings {
  /** What the mark with this number says of the instructions after it. */
  at(mark: number): KnownLine;
  /** Whether instructions before the mark, in the same block, belong to it. */
  leads(mark: number, procedure: ListingProcedure, isBody: boolean): boolean;
  /** What is known before the first mark of a function. */
  head(procedure: ListingProcedure): KnownLine;
}

/** Nothing is known. */
export const unknownLine: KnownLine = { place: -1, names: -1 };

/** Instructions that only move what is on the stack. Both builds differ in them. */
const moves = new Set(
  (
    'XCHG XCHG0 XCHG2 XCHG3 SWAP DUP OVER DROP NIP TUCK ROT -ROT ROTREV 2ROT 2DROP 2DUP 2SWAP 2OVER PUSH PUSH2 PUSH3 ' +
    'POP XCPU PUXC PUXC2 XCPU2 XC2PU XCPUXC PUXCPU PU2XC BLKSWAP BLKDROP BLKDROP2 BLKPUSH REVERSE ROLL -ROLL ROLLREV'
  ).split(' '),
);

/** An instruction of the listing with marks, and the mark before it. */
interface Marked {
  instruction: ListingInstruction;
  mark: number;
  /** Whether nothing is between the mark and the instruction, so that the names of the mark are true. */
  isFirst: boolean;
}

/**
 * The lines of the deployed listing's instructions, function by function, from a build of the same source with marks,
 * whose code often differs. A function has the lines of the other build if both have the same instructions in the same
 * order, apart from those that only move what is on the stack; those have the line of the instruction that they prepare.
 */
export class MarkedLines {
  readonly #known = new Map<ListingProcedure, ReadonlyMap<ListingInstruction, KnownLine> | string>();

  constructor(
    private readonly release: FiftListing,
    private readonly marked: FiftListing,
    private readonly meanings: MarkMeanings,
  ) {}

  /** @throws NotAlignedError if the function's two listings differ */
  of(instruction: ListingInstruction, procedure: ListingProcedure): KnownLine {
    const known = this.#known.get(procedure) ?? this.#read(procedure);
    this.#known.set(procedure, known);
    if (typeof known === 'string') {
      throw new NotAlignedError(known);
    }
    return known.get(instruction) ?? unknownLine;
  }

  #read(procedure: ListingProcedure): ReadonlyMap<ListingInstruction, KnownLine> | string {
    const other = this.marked.procedures.get(procedure.name);
    if (other === undefined || this.release.procedures.get(procedure.name) !== procedure) {
      return `the build with marks has no ${procedure.name}`;
    }
    const found = new Map<ListingInstruction, KnownLine>();
    try {
      const head = this.meanings.head(procedure);
      this.#pair(procedure.body, other.body, { procedure, inherited: head, isBody: true }, found);
    } catch (error) {
      if (error instanceof NotAlignedError) {
        return `the build with marks of ${procedure.name} differs: ${error.message}`;
      }
      throw error;
    }
    return found;
  }

  /** @param around the function, and what is known of the instruction with these blocks */
  #pair(
    release: readonly ListingInstruction[],
    marked: readonly ListingInstruction[],
    around: { procedure: ListingProcedure; inherited: KnownLine; isBody: boolean },
    found: Map<ListingInstruction, KnownLine>,
  ): void {
    const { procedure, isBody } = around;
    const [others, first] = withoutMarks(marked);
    const inherited =
      first !== undefined && this.meanings.leads(first, procedure, isBody)
        ? this.meanings.at(first)
        : around.inherited;
    const isSame =
      release.length === others.length &&
      release.every((one, index) => keyOf(one) === keyOf(others[index]!.instruction));
    const [own, theirs] = isSame
      ? [[...release], others]
      : [release.filter((one) => !isMove(one)), others.filter((one) => !isMove(one.instruction))];
    own.forEach((one, index) => {
      const other = theirs[index];
      if (other === undefined || keyOf(one) !== keyOf(other.instruction)) {
        throw new NotAlignedError(
          `${keyOf(one)} is ${other === undefined ? 'missing' : keyOf(other.instruction)}`,
        );
      }
      const { place, names } = other.mark < 0 ? inherited : this.meanings.at(other.mark);
      const known = { place, names: isSame && other.isFirst ? names : -1 };
      found.set(one, known);
      const [blocks, otherBlocks] = [blocksOf(one), blocksOf(other.instruction)];
      if (blocks.length !== otherBlocks.length) {
        throw new NotAlignedError(`${one.op} has ${blocks.length} and ${otherBlocks.length} blocks`);
      }
      const inside = { procedure, inherited: { place, names: -1 }, isBody: false };
      blocks.forEach((block, at) => this.#pair(block, otherBlocks[at]!, inside, found));
    });
    if (theirs.length > own.length) {
      throw new NotAlignedError(`${keyOf(theirs[own.length]!.instruction)} is more`);
    }
    placeMoves(release, found, inherited);
  }
}

/** Gives those that only move something the line of the next instruction, else of the one before. */
function placeMoves(
  list: readonly ListingInstruction[],
  found: Map<ListingInstruction, KnownLine>,
  inherited: KnownLine,
): void {
  let next: KnownLine | undefined;
  for (const one of list.toReversed()) {
    next = found.get(one) ?? next;
    if (next !== undefined && !found.has(one)) {
      found.set(one, { place: next.place, names: -1 });
    }
  }
  let before = inherited;
  for (const one of list) {
    before = found.get(one) ?? before;
    if (!found.has(one)) {
      found.set(one, { place: before.place, names: -1 });
    }
  }
}

/** The instructions with the marks before them, and the first mark. */
function withoutMarks(list: readonly ListingInstruction[]): [Marked[], first: number | undefined] {
  const rest: Marked[] = [];
  let first: number | undefined;
  let mark = -1;
  let isFirst = false;
  for (const instruction of list) {
    if (instruction.op === 'DEBUGMARK') {
      mark = Number(instruction.operands[0]);
      first ??= mark;
      isFirst = true;
    } else {
      rest.push({ instruction, mark, isFirst });
      isFirst = false;
    }
  }
  return [rest, first];
}

/** An `ELSE` that has only marks is none. */
function blocksOf({ blocks }: ListingInstruction): readonly (readonly ListingInstruction[])[] {
  const last = blocks.at(-1);
  return blocks.length === 2 && last?.every(({ op }) => op === 'DEBUGMARK') === true
    ? blocks.slice(0, 1)
    : blocks;
}

function isMove({ op, operands }: ListingInstruction): boolean {
  return moves.has(op) && !operands.some((operand) => operand.startsWith('c'));
}

function keyOf({ op, operands }: ListingInstruction): string {
  return [...operands, op].join(' ');
}
