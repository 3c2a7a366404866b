import { Cell } from '@ton/core';
import { alignListing } from './alignListing';
import { NotAlignedError } from './alignProcedure';
import { readFiftListing } from './fiftListing';
import type { FiftListing, ListingInstruction, ListingProcedure } from './fiftListing';
import { PlaceBook } from './placeBook';
import type { SourceMap } from './sourceMap';

/** A location in the debug information of the FunC compiler. */
export interface FuncLocation {
  file: string;
  line: number;
  /** Names of the stack's slots there, the top last. */
  vars?: readonly string[];
}

/** What the FunC compiler made of a contract: as it is deployed, and with debug information. */
export interface FuncBuilds {
  name: string;
  /** The listing of the deployed code. */
  fiftCode: string;
  /** The code cell, a BoC in base64. */
  codeBoc: string;
  /** The listing with marks, and what they mean; a text says why there is none. */
  debug: { fiftCode: string; locations: readonly FuncLocation[] } | string;
  /** All sources by path, as the locations name them. */
  texts: ReadonlyMap<string, string>;
}

/** What is known of an instruction. */
interface Known {
  place: number;
  names: number;
}

/** Instructions that only move what is on the stack. Both builds differ in them. */
const moves = new Set(
  (
    'XCHG XCHG0 XCHG2 XCHG3 SWAP DUP OVER DROP NIP TUCK ROT -ROT ROTREV 2ROT 2DROP 2DUP 2SWAP 2OVER PUSH PUSH2 PUSH3 ' +
    'POP XCPU PUXC PUXC2 XCPU2 XC2PU XCPUXC PUXCPU PU2XC BLKSWAP BLKDROP BLKDROP2 BLKPUSH REVERSE ROLL -ROLL ROLLREV'
  ).split(' '),
);

/**
 * The lines of a FunC contract's code. The compiler tells lines only of a build with marks, whose code often differs
 * from the deployed one. A function of the deployed listing has the lines of the other if both have the same
 * instructions in the same order, apart from those that only move what is on the stack; those have the line of the
 * instruction that they prepare.
 */
export async function funcSourceMap(builds: FuncBuilds): Promise<SourceMap> {
  const { name, codeBoc, debug, texts } = builds;
  const code = Cell.fromBase64(codeBoc);
  const book = new PlaceBook(texts, 'func');
  const listing = readFiftListing(builds.fiftCode);
  const lines =
    typeof debug === 'string'
      ? debug
      : new FuncLines(listing, readFiftListing(debug.fiftCode), debug.locations, book);
  const { methods, branches } = await alignListing(
    listing,
    code,
    book.places,
    ({ listing: instruction, procedure, isFirst }) => {
      if (typeof lines === 'string') {
        throw new NotAlignedError(lines);
      }
      const { place, names } = lines.of(instruction, procedure);
      return { place, names: isFirst ? names : -1 };
    },
  );
  return {
    codeHash: code.hash().toString('hex'),
    name,
    language: 'func',
    places: book.places,
    names: book.names,
    methods,
    branches,
    functions: book.functions,
  };
}

/** An instruction of the listing with marks, and the mark before it. */
interface Marked {
  instruction: ListingInstruction;
  mark: number;
  /** Whether nothing is between the mark and the instruction, so that the names of the mark are true. */
  isFirst: boolean;
}

/** The lines of the deployed listing's instructions, function by function. */
class FuncLines {
  readonly #known = new Map<ListingProcedure, ReadonlyMap<ListingInstruction, Known> | string>();

  constructor(
    private readonly release: FiftListing,
    private readonly marked: FiftListing,
    private readonly locations: readonly FuncLocation[],
    private readonly book: PlaceBook,
  ) {}

  /** @throws NotAlignedError if the function's two listings differ */
  of(instruction: ListingInstruction, procedure: ListingProcedure): Known {
    const known = this.#known.get(procedure) ?? this.#read(procedure);
    this.#known.set(procedure, known);
    if (typeof known === 'string') {
      throw new NotAlignedError(known);
    }
    return known.get(instruction) ?? { place: -1, names: -1 };
  }

  #read(procedure: ListingProcedure): ReadonlyMap<ListingInstruction, Known> | string {
    const other = this.marked.procedures.get(procedure.name);
    if (other === undefined || this.release.procedures.get(procedure.name) !== procedure) {
      return `the build with marks has no ${procedure.name}`;
    }
    const found = new Map<ListingInstruction, Known>();
    try {
      this.#pair(procedure.body, other.body, this.#header(procedure.name), found);
    } catch (error) {
      if (error instanceof NotAlignedError) {
        return `the build with marks of ${procedure.name} differs: ${error.message}`;
      }
      throw error;
    }
    return found;
  }

  /** What is known before the first mark: the line of the function's head. */
  #header(name: string): Known {
    const declared = this.book.functions.filter((one) => one.name === name);
    const [only] = declared;
    const place = declared.length === 1 && only !== undefined ? this.book.placeAt(only.file, only.line) : -1;
    return { place, names: -1 };
  }

  /** @param inherited what is known of the instruction with these blocks */
  #pair(
    release: readonly ListingInstruction[],
    marked: readonly ListingInstruction[],
    inherited: Known,
    found: Map<ListingInstruction, Known>,
  ): void {
    const others = withoutMarks(marked);
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
      const { place, names } = other.mark < 0 ? inherited : this.#atMark(other.mark);
      const known = { place, names: isSame && other.isFirst ? names : -1 };
      found.set(one, known);
      const [blocks, otherBlocks] = [blocksOf(one), blocksOf(other.instruction)];
      if (blocks.length !== otherBlocks.length) {
        throw new NotAlignedError(`${one.op} has ${blocks.length} and ${otherBlocks.length} blocks`);
      }
      blocks.forEach((block, at) => this.#pair(block, otherBlocks[at]!, { place, names: -1 }, found));
    });
    if (theirs.length > own.length) {
      throw new NotAlignedError(`${keyOf(theirs[own.length]!.instruction)} is more`);
    }
    placeMoves(release, found, inherited);
  }

  #atMark(mark: number): Known {
    const location = this.locations[mark];
    return location === undefined
      ? { place: -1, names: -1 }
      : {
          place: this.book.placeAt(location.file, location.line),
          names: this.book.namesOf(location.vars),
        };
  }
}

/** Gives those that only move something the line of the next instruction, else of the one before. */
function placeMoves(
  list: readonly ListingInstruction[],
  found: Map<ListingInstruction, Known>,
  inherited: Known,
): void {
  let next: Known | undefined;
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

function withoutMarks(list: readonly ListingInstruction[]): Marked[] {
  const rest: Marked[] = [];
  let mark = -1;
  let isFirst = false;
  for (const instruction of list) {
    if (instruction.op === 'DEBUGMARK') {
      mark = Number(instruction.operands[0]);
      isFirst = true;
    } else {
      rest.push({ instruction, mark, isFirst });
      isFirst = false;
    }
  }
  return rest;
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
