import type { SourceConstant } from '../sourceMap/sourceMap';
import type { DebugValue } from './debugValues';
import { evaluate } from './evaluate';

/** How many constants a value is computed from, one within another. */
const deepest = 20;

/** The value of a constant by the text of its source; undefined if that does not tell a number. */
export function constantOf(
  constants: readonly SourceConstant[],
  name: string,
  depth = 0,
): DebugValue | undefined {
  const text = constants.find((one) => one.name === name)?.text;
  if (text === undefined || depth > deepest) {
    return undefined;
  }
  try {
    // Amounts are written otherwise in expressions.
    return evaluate(text.replaceAll(/\bton\("([\d.]{1,30})"\)/g, '$1ton'), {
      find: (other) => constantOf(constants, other, depth + 1),
      nameOf: () => undefined,
    });
  } catch {
    return undefined;
  }
}
