import { instructionAt } from '../recording/recording';
import type { Recording } from '../recording/recording';

/** An instruction that ran. */
export interface ListedInstruction {
  /** Index of its cell in the recording. */
  cell: number;
  /** Bit offset in the cell. */
  offset: number;
  text: string;
  /** Its line in the listing, from 1. */
  line: number;
  /** A step that ran it. */
  step: number;
}

/** The instructions that an execution ran, as a document: cell by cell, each in the order of the code. */
export interface AssemblyListing {
  text: string;
  instructions: readonly ListedInstruction[];
  /** The instruction of a step; for a step of the VM's own, that of the last one before it. */
  at(step: number): ListedInstruction | undefined;
}

/**
 * Lists the instructions of an execution, as the VM named them. What did not run is not in the list: nothing is known
 * of it from the recording alone.
 */
export function listAssembly(recording: Recording): AssemblyListing {
  const { steps, cell, offset, cells } = recording;
  const byCell = cells.map(() => new Map<number, number>());
  for (let step = 0; step < steps; step += 1) {
    const here = byCell[cell[step] ?? -1];
    const at = offset[step] ?? 0;
    if (here?.has(at) === false) {
      here.set(at, step);
    }
  }
  const instructions: ListedInstruction[] = [];
  const text: string[] = ['// The instructions that ran, in the order of the code.'];
  const found = byCell.map((known, index) => {
    text.push('', `// cell ${cells[index] ?? ''}`);
    const sorted = [...known].sort(([one], [other]) => one - other);
    return new Map(
      sorted.map(([at, step]) => {
        const name = instructionAt(recording, step);
        text.push(name);
        const listed = { cell: index, offset: at, text: name, line: text.length, step };
        instructions.push(listed);
        return [at, listed] as const;
      }),
    );
  });
  const listedAt = (step: number): ListedInstruction | undefined =>
    found[cell[step] ?? -1]?.get(offset[step] ?? 0);
  return {
    text: `${text.join('\n')}\n`,
    instructions,
    at: (step) => {
      for (let before = step; before >= 0; before -= 1) {
        const listed = listedAt(before);
        if (listed !== undefined) {
          return listed;
        }
      }
      return undefined;
    },
  };
}
