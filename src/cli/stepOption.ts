import type { Recording } from '../toolkit/recording/recording';
import { usageError } from './output';

const hint = 'replay HASH --steps lists the steps with their numbers.';

/**
 * The value of `--step`, as `--steps` numbers them, from 1.
 * @throws WorkbenchError `usage` (input)
 */
export function parseStep(text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    throw usageError(`--step ${JSON.stringify(text)} is not the number of a step.`, hint);
  }
  return Number(text);
}

/**
 * The index in a recording of the step with a number.
 * @throws WorkbenchError `usage` (input) if it is not recorded
 */
export function stepIndex(number: number, { steps, stepsMissing }: Recording): number {
  const index = number - 1 - stepsMissing;
  if (number > 0 && index < 0) {
    throw usageError(`The log has lost step ${number}: it begins with step ${stepsMissing + 1}.`, hint);
  }
  if (index < 0 || index >= steps) {
    throw usageError(`There is no step ${number}: the execution has ${stepsMissing + steps} steps.`, hint);
  }
  return index;
}
