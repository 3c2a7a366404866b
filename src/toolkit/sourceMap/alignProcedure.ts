import { expandedForms } from './expandedForms';
import type { FiftListing, ListingInstruction, ListingProcedure } from './fiftListing';
import { formOfCode, formOfListing, isBuilt } from './instructionForms';
import type { InstructionForm } from './instructionForms';
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
}

/** A call that is replaced by the function. */
export interface InlinedCall {
  listing: ListingInstruction;
  /** The function that calls. */
  procedure: ListingProcedure;
  /** The call that the calling function is inlined for. */
  call: InlinedCall | undefined;
}

/** A method whose listing and code agree in every instruction. */
export interface AlignedProcedure {
  instructions: readonly AlignedInstruction[];
  /** By block: index of the instruction with the continuation; -1 for the method itself. */
  parents: readonly number[];
}

/** The listing is not what the code was assembled from, or it has a form that is not known. */
export class NotAlignedError extends Error {}

/** Instructions with a continuation on the stack, as the assembler chooses by size. */
const pushes = new Set(['PUSHCONT', 'PUSHCONT_SHORT', 'PUSHREFCONT']);
const loops: ReadonlySet<string> = new Set(['REPEAT', 'UNTIL', 'AGAIN', 'WHILE', 'TRY']);
const conditions = new Set(['IF', 'IFNOT', 'IFJMP', 'IFNOTJMP']);
const whenEmpty: Readonly<Record<string, readonly [string, string]>> = {
  IF: ['POP', '0'],
  IFNOT: ['POP', '0'],
  IFJMP: ['IFRET', ''],
  IFNOTJMP: ['IFNOTRET', ''],
};
const mostInlined = 64;

/**
 * Walks a procedure of the listing and a body of the code together, instruction by instruction, operands included.
 * @throws NotAlignedError at the first difference, also if one of them goes on where the other ends
 */
export function alignProcedure(
  listing: FiftListing,
  procedure: ListingProcedure,
  body: CodeBody,
  budget: { spend(): void },
): AlignedProcedure {
  const aligner = new Aligner(listing, budget);
  aligner.body(procedure.body, body, procedure, -1);
  return aligner;
}

class Aligner implements AlignedProcedure {
  readonly instructions: AlignedInstruction[] = [];
  readonly parents: number[] = [];
  #inlined = 0;
  #around: InlinedCall | undefined;

  constructor(
    private readonly listing: FiftListing,
    private readonly budget: { spend(): void },
  ) {}

  /** @param parent index of the instruction with this body */
  body(
    listed: readonly ListingInstruction[],
    body: CodeBody,
    procedure: ListingProcedure,
    parent: number,
  ): void {
    if (body === undefined) {
      throw new NotAlignedError('some of the code is not instructions');
    }
    this.parents.push(parent);
    const at = new Cursor(body, this.parents.length - 1);
    this.#walk(listed, at, procedure);
    if (at.next !== undefined) {
      throw new NotAlignedError(`the code goes on with ${at.next.name} where the listing ends`);
    }
  }

  #walk(listed: readonly ListingInstruction[], at: Cursor, procedure: ListingProcedure): void {
    for (const one of listed) {
      this.budget.spend();
      if (one.op === 'INLINECALLDICT' || one.op === 'INLINECALL') {
        this.#inline(one, at, procedure);
      } else if (one.blocks.length === 0) {
        this.#plain(one, at, procedure);
      } else {
        this.#blocks(one, at, procedure);
      }
    }
  }

  #take(one: ListingInstruction, at: Cursor, procedure: ListingProcedure, isFirst: boolean): number {
    const code = at.take(one.op);
    const { block } = at;
    this.instructions.push({ code, listing: one, isFirst, procedure, call: this.#around, block });
    return this.instructions.length - 1;
  }

  /** Takes an instruction that must have this form. */
  #expect(
    form: InstructionForm,
    one: ListingInstruction,
    at: Cursor,
    procedure: ListingProcedure,
    isFirst: boolean,
  ): void {
    const { next } = at;
    if (next === undefined || !isSame(form, formOfCode(next))) {
      throw new NotAlignedError(
        `the listing has ${wordsOf(form)}, the code ${next === undefined ? 'ends' : wordsOf(formOfCode(next))}`,
      );
    }
    this.#take(one, at, procedure, isFirst);
  }

  #plain(one: ListingInstruction, at: Cursor, procedure: ListingProcedure, op = one.op): void {
    const form = formOfListing(
      op,
      one.operands.map((operand) => this.#resolved(op, operand)),
    );
    const forms = expandedForms(form, at.next);
    forms.forEach((each, index) => this.#expect(each, one, at, procedure, index === 0));
  }

  /** Names of functions and of global variables as their numbers. */
  #resolved(op: string, operand: string): string {
    const number = /GLOB$/.test(op)
      ? this.listing.globals.get(operand)
      : /^(?:CALL|JMP|PREPARE)/.test(op)
        ? this.listing.ids.get(operand)
        : undefined;
    return number === undefined ? operand : String(number);
  }

  /** A function in the place of its call: its instructions, or a reference to them, or a call after all. */
  #inline(one: ListingInstruction, at: Cursor, procedure: ListingProcedure): void {
    const called = this.listing.procedures.get(one.operands[0] ?? '');
    if (called === undefined || this.#inlined > mostInlined) {
      throw new NotAlignedError(`the listing calls ${one.operands[0]}, which it does not have`);
    }
    const around = this.#around;
    this.#inlined += 1;
    if (called.kind === 'PROC' || this.#isCall(called, at)) {
      this.#plain(one, at, procedure, 'CALLDICT');
    } else {
      this.#around = { listing: one, procedure, call: around };
      const refused = this.#reference(one, called, at, procedure);
      if (refused !== undefined) {
        this.#walkInstead(called, at, refused);
      }
      this.#around = around;
    }
    this.#inlined -= 1;
  }

  /** Whether it is called after all: the assembler inlines no function that is not assembled yet, such as itself. */
  #isCall(called: ListingProcedure, at: Cursor): boolean {
    const { next } = at;
    const form = next === undefined ? undefined : formOfCode(next);
    return form?.name === 'CALLDICT' && form.operands[0] === String(this.listing.ids.get(called.name));
  }

  /**
   * A function in a reference. One that is inlined goes there if the cell has no room for it, but its first instruction
   * can also be such a call.
   * @returns why it is not in a reference; undefined if it is
   */
  #reference(
    one: ListingInstruction,
    called: ListingProcedure,
    at: Cursor,
    procedure: ListingProcedure,
  ): NotAlignedError | undefined {
    const { next } = at;
    if (next?.name !== 'CALLREF') {
      return new NotAlignedError(`the listing calls ${called.name}, the code has ${next?.name ?? 'no more'}`);
    }
    const [around, counts] = [this.#around, [this.instructions.length, this.parents.length] as const];
    try {
      this.#around = around?.call;
      const taken = this.#take(one, at, procedure, true);
      this.#around = around;
      this.body(called.body, next.bodies[0], called, taken);
      return undefined;
    } catch (error) {
      if (!(error instanceof NotAlignedError)) {
        throw error;
      }
      at.back();
      [this.instructions.length, this.parents.length] = counts;
      this.#around = around;
      return error;
    }
  }

  /** A function in the place of its call. */
  #walkInstead(called: ListingProcedure, at: Cursor, refused: NotAlignedError): void {
    if (called.kind !== 'PROCINLINE') {
      throw refused;
    }
    const isReference = at.next?.name === 'CALLREF';
    try {
      this.#walk(called.body, at, called);
    } catch (error) {
      throw isReference && error instanceof NotAlignedError ? refused : error;
    }
  }

  #blocks(one: ListingInstruction, at: Cursor, procedure: ListingProcedure): void {
    if (one.op === 'CONT' && one.blocks.length === 1) {
      this.#push(one, 0, at, procedure, true);
    } else if (loops.has(one.op)) {
      one.blocks.forEach((_, index) => this.#push(one, index, at, procedure, index === 0));
      this.#expect({ name: one.op, operands: [] }, one, at, procedure, false);
    } else if (conditions.has(one.op) && one.blocks.length === 1) {
      this.#branch(one.op, one, 0, at, procedure);
    } else if ((one.op === 'IF' || one.op === 'IFNOT') && one.blocks.length === 2) {
      this.#choice(one, at, procedure);
    } else {
      throw new NotAlignedError(`${one.op} with ${one.blocks.length} blocks is not known`);
    }
  }

  /** PUSHCONT with one of the blocks. */
  #push(
    one: ListingInstruction,
    index: number,
    at: Cursor,
    procedure: ListingProcedure,
    isFirst: boolean,
  ): void {
    const { next } = at;
    if (next === undefined || !pushes.has(next.name)) {
      throw new NotAlignedError(`the listing has a block, the code ${next?.name ?? 'ends'}`);
    }
    const push = this.#take(one, at, procedure, isFirst);
    this.body(one.blocks[index]!, next.bodies[0], procedure, push);
  }

  /** A condition with one block that is not empty, or else what an empty one is assembled to. */
  #branch(op: string, one: ListingInstruction, index: number, at: Cursor, procedure: ListingProcedure): void {
    const { next } = at;
    if (this.#isEmpty(one.blocks[index]!)) {
      const [name, operand] = whenEmpty[op]!;
      this.#expect({ name, operands: operand === '' ? [] : [operand] }, one, at, procedure, true);
    } else if (next?.name === `${op}REF`) {
      const taken = this.#take(one, at, procedure, true);
      this.body(one.blocks[index]!, next.bodies[0], procedure, taken);
    } else {
      this.#push(one, index, at, procedure, true);
      this.#expect({ name: op, operands: [] }, one, at, procedure, false);
    }
  }

  /** A condition with two blocks. */
  #choice(one: ListingInstruction, at: Cursor, procedure: ListingProcedure): void {
    const [yes, no] = one.op === 'IF' ? [0, 1] : [1, 0];
    if (this.#isEmpty(one.blocks[no]!)) {
      this.#branch('IF', one, yes, at, procedure);
      return;
    }
    if (this.#isEmpty(one.blocks[yes]!)) {
      this.#branch('IFNOT', one, no, at, procedure);
      return;
    }
    const both = at.next;
    if (both?.name === 'IFREFELSEREF') {
      const taken = this.#take(one, at, procedure, true);
      this.body(one.blocks[yes]!, both.bodies[0], procedure, taken);
      this.body(one.blocks[no]!, both.bodies[1], procedure, taken);
      return;
    }
    const second = at.after?.name;
    const [first, other] = second === 'IFREFELSE' ? [no, yes] : [yes, no];
    this.#push(one, first, at, procedure, true);
    const last = at.next;
    if (last?.name === 'IFREFELSE' || last?.name === 'IFELSEREF') {
      const taken = this.#take(one, at, procedure, false);
      this.body(one.blocks[other]!, last.bodies[0], procedure, taken);
    } else {
      this.#push(one, other, at, procedure, false);
      this.#expect({ name: 'IFELSE', operands: [] }, one, at, procedure, false);
    }
  }

  /** Whether nothing is assembled: also if only functions without instructions are inlined. */
  #isEmpty(block: readonly ListingInstruction[]): boolean {
    return block.every(
      ({ op, operands }) =>
        op === 'INLINECALLDICT' &&
        this.listing.procedures.get(operands[0] ?? '')?.kind === 'PROCINLINE' &&
        this.listing.procedures.get(operands[0] ?? '')?.body.length === 0,
    );
  }
}

/** Where the walk is in a body. */
class Cursor {
  #at = 0;

  constructor(
    private readonly list: readonly CodeInstruction[],
    readonly block: number,
  ) {}

  get next(): CodeInstruction | undefined {
    return this.list[this.#at];
  }

  get after(): CodeInstruction | undefined {
    return this.list[this.#at + 1];
  }

  take(op: string): CodeInstruction {
    const { next } = this;
    if (next === undefined) {
      throw new NotAlignedError(`the code ends where the listing has ${op}`);
    }
    this.#at += 1;
    return next;
  }

  /** Undoes the last {@link take}. */
  back(): void {
    this.#at -= 1;
  }
}

function isSame(listed: InstructionForm, code: InstructionForm): boolean {
  return (
    listed.name === code.name &&
    (listed.operands.some(isBuilt) ||
      (listed.operands.length === code.operands.length &&
        listed.operands.every((operand, index) => operand === code.operands[index])))
  );
}

function wordsOf({ name, operands }: InstructionForm): string {
  return [...operands.map((operand) => operand.slice(0, 40)), name].join(' ');
}
