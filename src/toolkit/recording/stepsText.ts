import { instructionAt, stackTextAt } from './recording';
import type { Recording } from './recording';

/** Longest stack shown in a line, in characters. */
const longestStack = 160;

/**
 * All steps, one line each: number, gas left afterward, gas used, instruction, and the stack before it (its end is the
 * top).
 */
export function* stepsText(recording: Recording): Generator<string> {
  const { steps, stepsMissing, gasMissing, gasAfter, gas, exceptions } = recording;
  if (stepsMissing > 0) {
    yield `The engine's log has lost the first ${stepsMissing} steps (${gasMissing} gas).`;
  }
  const thrown = new Map(exceptions.map((exception) => [exception.step, exception]));
  for (let step = 0; step < steps; step += 1) {
    const instruction = instructionAt(recording, step) || 'ran out of gas before this instruction';
    yield [
      String(stepsMissing + step + 1).padStart(6),
      String(gasAfter[step]).padStart(10),
      String(gas[step]).padStart(6),
      ` ${instruction.slice(0, 40).padEnd(40)}`,
      shortStack(stackTextAt(recording, step)),
    ]
      .join(' ')
      .trimEnd();
    const exception = thrown.get(step);
    if (exception?.isFinal === true) {
      yield `       exit code ${exception.code ?? 'unknown'}: nothing caught this exception`;
    }
  }
}

/** Cells and slices by their number of hex digits, and only the top of a long stack. */
function shortStack(text: string): string {
  const short = text.replace(/\b(C|CS|BC)\{([0-9A-F]{24})[0-9A-F]+/g, '$1{$2…').trim();
  return short.length <= longestStack ? short : `… ${short.slice(-longestStack)}`;
}
