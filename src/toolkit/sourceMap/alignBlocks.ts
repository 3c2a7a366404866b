import type { ListingInstruction, ListingProcedure } from './fiftListing';
import type { InstructionForm } from './instructionForms';
import type { CodeBody, CodeInstruction } from './readCodeTree';

/** Where a walk is in a body of code. */
export class CodeCursor {
  position = 0;

  /** @param block its number */
  constructor(
    private readonly list: readonly CodeInstruction[],
    readonly block: number,
  ) {}

  get next(): CodeInstruction | undefined {
    return this.list[this.position];
  }

  /** How many instructions are left. */
  get left(): number {
    return this.list.length - this.position;
  }

  /** The instruction that is next after some have been taken. */
  after(count: number): CodeInstruction | undefined {
    return this.list[this.position + count];
  }

  /** @throws NotAlignedError if there is none */
  take(op: string): CodeInstruction {
    const { next } = this;
    if (next === undefined) {
      throw new NotAlignedError(`the code ends where the listing has ${op}`);
    }
    this.position += 1;
    return next;
  }
}

/** The listing is not what the code was assembled from, or it has a form that is not known. */
export class NotAlignedError extends Error {
  /** @param isOfCompiler whether nothing differs, but the compiler does not tell lines */
  constructor(
    message: string,
    readonly isOfCompiler = false,
  ) {
    super(message);
  }
}

/** A call that is replaced by the function. */
export interface InlinedCall {
  listing: ListingInstruction;
  /** The function that calls. */
  procedure: ListingProcedure;
  /** The call that the calling function is inlined for. */
  call: InlinedCall | undefined;
}

/** The function whose instructions are walked. */
export interface Around {
  procedure: ListingProcedure;
  /** The call that it is inlined for. */
  around: InlinedCall | undefined;
  /** How many functions it is inlined in. */
  depth: number;
}

/** The walk that comes to an instruction with blocks. */
export interface BlockWalk {
  take(one: ListingInstruction, at: CodeCursor, around: Around, isFirst: boolean): number;
  /** Takes an instruction that must have this form. */
  expect(
    form: InstructionForm,
    one: ListingInstruction,
    at: CodeCursor,
    around: Around,
    isFirst: boolean,
  ): void;
  /** @param parent index of the instruction with this body */
  body(listed: readonly ListingInstruction[], body: CodeBody, around: Around, parent: number): void;
  /** Whether nothing is assembled. */
  isEmpty(block: readonly ListingInstruction[]): boolean;
}

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

/** Whether it is known what an instruction with blocks is assembled to. */
export function hasKnownBlocks(op: string): boolean {
  return op === 'CONT' || loops.has(op) || conditions.has(op);
}

/**
 * Walks an instruction with blocks, and the code that it was assembled to.
 * @throws NotAlignedError at the first difference
 */
export function alignBlocks(one: ListingInstruction, at: CodeCursor, around: Around, walk: BlockWalk): void {
  if (one.op === 'CONT' && one.blocks.length === 1) {
    push(one, 0, at, around, true, walk);
  } else if (loops.has(one.op)) {
    one.blocks.forEach((_, index) => push(one, index, at, around, index === 0, walk));
    walk.expect({ name: one.op, operands: [] }, one, at, around, false);
  } else if (conditions.has(one.op) && one.blocks.length === 1) {
    branch(one.op, one, 0, at, around, walk);
  } else if ((one.op === 'IF' || one.op === 'IFNOT') && one.blocks.length === 2) {
    choice(one, at, around, walk);
  } else {
    throw new NotAlignedError(`${one.op} with ${one.blocks.length} blocks is not known`);
  }
}

/** PUSHCONT with one of the blocks. */
function push(
  one: ListingInstruction,
  index: number,
  at: CodeCursor,
  around: Around,
  isFirst: boolean,
  walk: BlockWalk,
): void {
  const { next } = at;
  if (next === undefined || !pushes.has(next.name)) {
    throw new NotAlignedError(`the listing has a block, the code ${next?.name ?? 'ends'}`);
  }
  const push = walk.take(one, at, around, isFirst);
  walk.body(one.blocks[index]!, next.bodies[0], around, push);
}

/** A condition with one block that is not empty, or else what an empty one is assembled to. */
function branch(
  op: string,
  one: ListingInstruction,
  index: number,
  at: CodeCursor,
  around: Around,
  walk: BlockWalk,
): void {
  const { next } = at;
  if (walk.isEmpty(one.blocks[index]!)) {
    const [name, operand] = whenEmpty[op]!;
    walk.expect({ name, operands: operand === '' ? [] : [operand] }, one, at, around, true);
  } else if (next?.name === `${op}REF`) {
    const taken = walk.take(one, at, around, true);
    walk.body(one.blocks[index]!, next.bodies[0], around, taken);
  } else {
    push(one, index, at, around, true, walk);
    walk.expect({ name: op, operands: [] }, one, at, around, false);
  }
}

/** A condition with two blocks. */
function choice(one: ListingInstruction, at: CodeCursor, around: Around, walk: BlockWalk): void {
  const [yes, no] = one.op === 'IF' ? [0, 1] : [1, 0];
  if (walk.isEmpty(one.blocks[no]!)) {
    branch('IF', one, yes, at, around, walk);
    return;
  }
  if (walk.isEmpty(one.blocks[yes]!)) {
    branch('IFNOT', one, no, at, around, walk);
    return;
  }
  const both = at.next;
  if (both?.name === 'IFREFELSEREF') {
    const taken = walk.take(one, at, around, true);
    walk.body(one.blocks[yes]!, both.bodies[0], around, taken);
    walk.body(one.blocks[no]!, both.bodies[1], around, taken);
    return;
  }
  const second = at.after(1)?.name;
  const [first, other] = second === 'IFREFELSE' ? [no, yes] : [yes, no];
  push(one, first, at, around, true, walk);
  const last = at.next;
  if (last?.name === 'IFREFELSE' || last?.name === 'IFELSEREF') {
    const taken = walk.take(one, at, around, false);
    walk.body(one.blocks[other]!, last.bodies[0], around, taken);
  } else {
    push(one, other, at, around, false, walk);
    walk.expect({ name: 'IFELSE', operands: [] }, one, at, around, false);
  }
}
