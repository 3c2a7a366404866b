import { stackTextAt } from '../recording/recording';
import { splitStack } from '../recording/splitStack';
import { vmWordText } from '../recording/vmWordText';
import { visibleText } from '../text';
import type { MappedSteps } from './mapSteps';

/** A value on the stack with its name in the source. */
export interface NamedValue {
  name: string;
  /** A number in decimals, a raw address, or a description, such as `cell of 267 bits, 1 reference`. */
  value: string;
}

/** `message.amount = 500` */
export function namedValueText({ name, value }: NamedValue): string {
  return `${visibleText(name)} = ${visibleText(value)}`;
}

/**
 * The named values on the stack before a step, the deepest first; temporary values have no name. A name that stands for
 * several slots is listed with its value nearest to the top.
 */
export function namedValues(steps: MappedSteps, step: number): NamedValue[] {
  return [...namedWords(steps, step)].map(([name, word]) => ({ name, value: vmWordText(word) }));
}

/** The same values as the VM's log prints them. */
export function namedWords(
  { recording, map, names }: MappedSteps,
  step: number,
): ReadonlyMap<string, string> {
  const known = map.names[names[step] ?? -1];
  if (known === undefined) {
    return new Map();
  }
  const values = splitStack(stackTextAt(recording, step));
  const first = values.length - known.length;
  const named = new Map<string, string>();
  known.forEach((name, slot) => {
    const text = values[first + slot];
    if (name !== '' && text !== undefined) {
      named.set(name, text);
    }
  });
  return named;
}
