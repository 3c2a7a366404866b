import type { Around, InlinedCall } from './alignBlocks';
import { CodeCursor, NotAlignedError, alignBlocks, hasKnownBlocks } from './alignBlocks';
import type { FiftListing, ListingInstruction, ListingProcedure } from './fiftListing';
import { unreadText } from './fiftListing';
import type { InstructionForm } from './instructionForms';
import { expandedForms, formOfCode, formOfListing, isBuilt, isSameForm, wordsOf } from './instructionForms';
import type { CodeBody, CodeInstruction } from './readCodeTree';

/** An instruction of the code, and the one of the listing that it was assembled from. */
export interface AlignedInstruction {
  code: CodeInstruction;
  listing: ListingInstruction;
  /** Whether it is the first of those that the listing's instruction was assembled to. */
  isFirst: boolean;
  /** The function of the listing; another one than the method's if it is inlined. */
  procedure: ListingProcedure;
  /** The call that it is inlined for; undefined in the method itself. */
  call: InlinedCall | undefined;
  /** Number of its block: instructions of one block run one after another. */
  block: number;
  /** What else it can have been assembled from, because of text that is not read. */
  other?: AlignedInstruction | undefined;
}

/** A method whose listing and code agree in every instruction. */
export interface AlignedProcedure {
  instructions: readonly AlignedInstruction[];
  /** By block: index of the instruction with the continuation; -1 for the method itself. */
  parents: readonly number[];
}

const mostInlined = 64;
/** How often the end of a text is looked for in one method. */
const mostTries = 20_000;

/** A listing, and what is needed to compare it with code. */
export interface AlignedListing {
  listing: FiftListing;
  /** Whether the code can have an instruction with this name: others are spellings that are not known here. */
  isKnown: (name: string) => boolean;
  budget: { spend(): void };
}

/**
 * Walks a procedure of the listing and a body of the code together, instruction by instruction, operands included. Text
 * of the listing that is not read stands for any number of instructions; where it ends is told by all that follows.
 * @throws NotAlignedError at the first difference, also if one of them goes on where the other ends
 */
export function alignProcedure(
  given: AlignedListing,
  procedure: ListingProcedure,
  body: CodeBody,
): AlignedProcedure {
  const shortest = new Aligner(given, (most) => Array.from({ length: most + 1 }, (_, count) => count));
  shortest.body(procedure.body, body, { procedure, around: undefined, depth: 0 }, -1);
  if (!shortest.hasSkipped) {
    return shortest;
  }
  // What is the same with the shortest and the longest texts is the same with all that fit.
  const longest = new Aligner(given, (most) => Array.from({ length: most + 1 }, (_, count) => most - count));
  longest.body(procedure.body, body, { procedure, around: undefined, depth: 0 }, -1);
  const instructions = shortest.instructions.map((one, index) => {
    const other = longest.instructions[index];
    return other?.listing === one.listing ? one : { ...one, other };
  });
  return { instructions, parents: shortest.parents };
}

/** What of the listing is still to be walked in a body: a function's rest, and then that of the calling one. */
interface Pending extends Around {
  listed: readonly ListingInstruction[];
  index: number;
  /** Why it is in the place of its call; the reason for a difference in it. */
  refused: NotAlignedError | undefined;
  rest: Pending | undefined;
}

class Aligner implements AlignedProcedure {
  readonly instructions: AlignedInstruction[] = [];
  readonly parents: number[] = [];
  hasSkipped = false;
  #tries = 0;

  /** @param counts how many instructions a text may stand for, in the order in which they are tried */
  constructor(
    private readonly given: AlignedListing,
    private readonly counts: (most: number) => number[],
  ) {}

  /** @param parent index of the instruction with this body */
  body(listed: readonly ListingInstruction[], body: CodeBody, around: Around, parent: number): void {
    if (body === undefined) {
      throw new NotAlignedError('some of the code is not instructions');
    }
    this.parents.push(parent);
    const at = new CodeCursor(body, this.parents.length - 1);
    this.#walk({ ...around, listed, index: 0, refused: undefined, rest: undefined }, at);
  }

  /** Walks to the end of the body. */
  #walk(first: Pending, at: CodeCursor): void {
    let pending: Pending | undefined = first;
    while (pending !== undefined) {
      const one: ListingInstruction | undefined = pending.listed[pending.index];
      if (one === undefined) {
        pending = pending.rest;
        continue;
      }
      this.given.budget.spend();
      const rest: Pending = { ...pending, index: pending.index + 1 };
      const before = this.#position(at);
      try {
        pending = this.#step(one, at, pending, rest);
      } catch (error) {
        if (!(error instanceof NotAlignedError)) {
          throw error;
        }
        if (!this.#isUnread(one)) {
          throw pending.refused ?? error;
        }
        this.#return(at, before);
        this.#skip(one, at, pending, rest);
        return;
      }
    }
    if (at.next !== undefined) {
      throw new NotAlignedError(`the code goes on with ${at.next.name} where the listing ends`);
    }
  }

  /** @returns what is to be walked after it */
  #step(one: ListingInstruction, at: CodeCursor, around: Pending, rest: Pending): Pending {
    if (one.op === 'INLINECALLDICT' || one.op === 'INLINECALL') {
      return this.#inline(one, at, around, rest);
    }
    if (one.blocks.length === 0) {
      this.#plain(one, at, around);
    } else {
      alignBlocks(one, at, around, this);
    }
    return rest;
  }

  /** Whether the listing does not tell what it is assembled to. */
  #isUnread({ op, operands, blocks }: ListingInstruction): boolean {
    const isKnown =
      blocks.length > 0
        ? hasKnownBlocks(op)
        : /^INLINECALL/.test(op) || this.given.isKnown(formOfListing(op, operands).name);
    return op === unreadText || !isKnown || operands.some(isBuilt);
  }

  /** Walks a text that is not read, and all that follows it in the body. */
  #skip(one: ListingInstruction, at: CodeCursor, around: Around, rest: Pending): void {
    this.hasSkipped = true;
    let refused = new NotAlignedError(
      `the code has no place for ${wordsOf({ name: one.op, operands: one.operands })}`,
    );
    for (const count of this.counts(at.left)) {
      if (!this.#canFollow(rest, at.after(count))) {
        continue;
      }
      this.#tries += 1;
      if (this.#tries > mostTries) {
        throw new NotAlignedError('too much of its listing cannot be read');
      }
      const before = this.#position(at);
      try {
        for (let taken = 0; taken < count; taken += 1) {
          this.#takeUnread(one, at, around, taken === 0);
        }
        this.#walk(rest, at);
        return;
      } catch (error) {
        if (!(error instanceof NotAlignedError)) {
          throw error;
        }
        refused = error;
        this.#return(at, before);
      }
    }
    throw refused;
  }

  /** Whether an instruction of the code can be the first of the rest; a quick look, to try less. */
  #canFollow({ listed, index }: Pending, code: CodeInstruction | undefined): boolean {
    const one = listed[index];
    if (one === undefined || code === undefined || one.blocks.length > 0 || this.#isUnread(one)) {
      return true;
    }
    const [form] = /^INLINECALL/.test(one.op) ? [] : expandedForms(this.#formOf(one), code);
    return form === undefined || isSameForm(form, formOfCode(code));
  }

  /** Takes an instruction that a text stands for, with all that is in it. */
  #takeUnread(one: ListingInstruction, at: CodeCursor, around: Around, isFirst: boolean): void {
    const taken = this.take(one, at, around, isFirst);
    for (const body of this.instructions[taken]!.code.bodies) {
      this.parents.push(taken);
      const inside = new CodeCursor(body ?? [], this.parents.length - 1);
      while (inside.next !== undefined) {
        this.#takeUnread(one, inside, around, false);
      }
    }
  }

  #position(at: CodeCursor): readonly [instructions: number, parents: number, at: number] {
    return [this.instructions.length, this.parents.length, at.position];
  }

  #return(at: CodeCursor, [instructions, parents, position]: readonly [number, number, number]): void {
    this.instructions.length = instructions;
    this.parents.length = parents;
    at.position = position;
  }

  take(one: ListingInstruction, at: CodeCursor, { procedure, around }: Around, isFirst: boolean): number {
    const code = at.take(one.op);
    const { block } = at;
    this.instructions.push({ code, listing: one, isFirst, procedure, call: around, block });
    return this.instructions.length - 1;
  }

  /** Takes an instruction that must have this form. */
  expect(
    form: InstructionForm,
    one: ListingInstruction,
    at: CodeCursor,
    around: Around,
    isFirst: boolean,
  ): void {
    const { next } = at;
    if (next === undefined || !isSameForm(form, formOfCode(next))) {
      throw new NotAlignedError(
        `the listing has ${wordsOf(form)}, the code ${next === undefined ? 'ends' : wordsOf(formOfCode(next))}`,
      );
    }
    this.take(one, at, around, isFirst);
  }

  #plain(one: ListingInstruction, at: CodeCursor, around: Around, op = one.op): void {
    const forms = expandedForms(this.#formOf(one, op), at.next);
    forms.forEach((each, index) => this.expect(each, one, at, around, index === 0));
  }

  #formOf(one: ListingInstruction, op = one.op): InstructionForm {
    return formOfListing(
      op,
      one.operands.map((operand) => this.#resolved(op, operand)),
    );
  }

  /** Names of functions and of global variables as their numbers. */
  #resolved(op: string, operand: string): string {
    const number = /GLOB$/.test(op)
      ? this.given.listing.globals.get(operand)
      : /^(?:CALL|JMP|PREPARE)/.test(op)
        ? this.given.listing.ids.get(operand)
        : undefined;
    return number === undefined ? operand : String(number);
  }

  /**
   * A function in the place of its call: its instructions, or a reference to them, or a call after all.
   * @returns what is to be walked after it
   */
  #inline(one: ListingInstruction, at: CodeCursor, around: Pending, rest: Pending): Pending {
    const called = this.given.listing.procedures.get(one.operands[0] ?? '');
    if (called === undefined || around.depth > mostInlined) {
      throw new NotAlignedError(`the listing calls ${one.operands[0]}, which it does not have`);
    }
    if (called.kind === 'PROC' || this.#isCall(called, at)) {
      this.#plain(one, at, around, 'CALLDICT');
      return rest;
    }
    const call = { listing: one, procedure: around.procedure, call: around.around };
    const inside: Around = { procedure: called, around: call, depth: around.depth + 1 };
    const refused = this.#reference(one, at, around, inside);
    if (refused === undefined) {
      return rest;
    }
    if (called.kind !== 'PROCINLINE') {
      throw refused;
    }
    const why = around.refused ?? (at.next?.name === 'CALLREF' ? refused : undefined);
    return { ...inside, listed: called.body, index: 0, refused: why, rest };
  }

  /** Whether it is called after all: the assembler inlines no function that is not assembled yet, such as itself. */
  #isCall(called: ListingProcedure, { next }: CodeCursor): boolean {
    const form = next === undefined ? undefined : formOfCode(next);
    return form?.name === 'CALLDICT' && form.operands[0] === String(this.given.listing.ids.get(called.name));
  }

  /**
   * A function in a reference. One that is inlined goes there if the cell has no room for it, but its first instruction
   * can also be such a call.
   * @returns why it is not in a reference; undefined if it is
   */
  #reference(
    one: ListingInstruction,
    at: CodeCursor,
    around: Around,
    inside: Around,
  ): NotAlignedError | undefined {
    const { next } = at;
    const { name, body } = inside.procedure;
    if (next?.name !== 'CALLREF') {
      return new NotAlignedError(`the listing calls ${name}, the code has ${next?.name ?? 'no more'}`);
    }
    const before = this.#position(at);
    try {
      const taken = this.take(one, at, around, true);
      this.body(body, next.bodies[0], inside, taken);
      return undefined;
    } catch (error) {
      if (!(error instanceof NotAlignedError)) {
        throw error;
      }
      this.#return(at, before);
      return error;
    }
  }

  /** Whether nothing is assembled: also if only functions without instructions are inlined. */
  isEmpty(block: readonly ListingInstruction[]): boolean {
    return block.every(
      ({ op, operands }) =>
        op === 'INLINECALLDICT' &&
        this.given.listing.procedures.get(operands[0] ?? '')?.kind === 'PROCINLINE' &&
        this.given.listing.procedures.get(operands[0] ?? '')?.body.length === 0,
    );
  }
}
