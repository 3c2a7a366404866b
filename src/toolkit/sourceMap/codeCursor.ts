import { NotAlignedError } from './notAlignedError';
import type { CodeInstruction } from './readCodeTree';

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
