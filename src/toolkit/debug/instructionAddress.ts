/** Addresses are numbers to debuggers: the execution, its code cell, and the bit offset in it. */
const cellSize = 0x1000;
const threadSize = 0x1000_0000;

/** An instruction of an execution. */
export interface InstructionPlace {
  /** Index of the execution. */
  thread: number;
  /** Index of the code cell in the recording. */
  cell: number;
  /** Bit offset in the cell. */
  offset: number;
}

/** `0x1002a8` */
export function instructionAddress({ thread, cell, offset }: InstructionPlace): string {
  return `0x${(thread * threadSize + (cell + 1) * cellSize + offset).toString(16)}`;
}

/**
 * Undefined if the text is no address of an instruction.
 * @param more bits to add
 */
export function instructionOf(address: string, more = 0): InstructionPlace | undefined {
  const number = /^0x[0-9a-f]{1,13}$/i.test(address) ? Number(address) + more : NaN;
  const thread = Math.floor(number / threadSize);
  const rest = number % threadSize;
  const cell = Math.floor(rest / cellSize) - 1;
  return cell >= 0 ? { thread, cell, offset: rest % cellSize } : undefined;
}

/** Addresses before the first instruction of an execution (negative) and behind the last: nothing is there. */
export function addressOutside(thread: number, distance: number): string {
  const base = thread * threadSize + (distance < 0 ? cellSize : threadSize - cellSize);
  return `0x${Math.max(0, base + distance).toString(16)}`;
}
