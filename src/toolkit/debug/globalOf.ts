import type { Registers } from '../recording/followRegisters';
import type { VmValue } from '../recording/vmValue';

/**
 * A global of c7, or an item of one that is a tuple; undefined if it is not known. Globals that were never set are null.
 */
export function globalOf(c7: Registers['c7'], index: number, part?: number): VmValue | undefined {
  const value: VmValue | undefined = c7 && (c7[index] ?? { type: 'null' });
  return part === undefined || value?.type !== 'tuple' ? value : value.items[part];
}

/** The exit codes of a contract by their names in its source. */
export function constantsOf(errors: ReadonlyMap<number, string> = new Map()): ReadonlyMap<string, number> {
  return new Map([...errors].map(([code, name]) => [name, code]));
}
