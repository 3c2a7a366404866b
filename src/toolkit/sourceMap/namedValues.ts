import { bodyValueText } from '../contracts/opcodes/bodyLines';
import { stackTextAt } from '../recording/recording';
import { splitStack } from '../recording/splitStack';
import { visibleText } from '../base/text';
import type { MappedSteps } from './mapSteps';
import type { VariableSlot } from './sourceMap';

/** A value on the stack with its name in the source. */
export interface NamedValue {
  name: string;
  /** A number in decimals, a raw address, or a description, such as `cell of 267 bits, 1 reference`. */
  value: string;
  /** What a number means, if the source says it. */
  kind?: VariableSlot['kind'];
}

/**
 * `message.amount = 5 TON`, `owner = alice`
 * @param nameOf the name of an account
 */
export function namedValueText(named: NamedValue, nameOf?: (address: string) => string | undefined): string {
  return `${visibleText(named.name)} = ${visibleText(shownValue(named, nameOf))}`;
}

/** `5 TON`, `alice` */
export function shownValue(
  { value, kind }: NamedValue,
  nameOf: (address: string) => string | undefined = () => undefined,
): string {
  return kindText(value, kind) ?? nameOf(value) ?? value;
}

/** A number as what it means; undefined if that is nothing more. */
export function kindText(value: string, kind: VariableSlot['kind']): string | undefined {
  if (kind === undefined || !/^-?\d+$/.test(value)) {
    return undefined;
  }
  return kind === 'bool'
    ? String(value !== '0')
    : bodyValueText(
        { type: 'coins', value: BigInt(value), ...(kind === 'jettons' && { isJetton: true }) },
        {},
      );
}

/**
 * The named values on the stack before a step as the VM's log prints them, the deepest first; temporary values have no
 * name. A name that stands for several slots is listed with its value nearest to the top.
 */
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
