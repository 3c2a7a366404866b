import type { Cell } from '@ton/core';
import { beginCell, Dictionary } from '@ton/core';
import type { NetworkConfig } from '../../emulator/networkConfig';
import type { ControlParametersOf } from './controlCommand';

/** The current configuration with one parameter changed; undefined if none is named. */
export function withParameter(
  { parameters: present, origin }: NetworkConfig,
  parameters: ControlParametersOf<'config'>,
): { root: Cell; origin: string } | undefined {
  const id = parameters.optionalNumber('param', -(2 ** 31), 2 ** 31 - 1);
  if (id === undefined) {
    return undefined;
  }
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  for (const [key, cell] of present) {
    dictionary.set(key, cell);
  }
  dictionary.set(Math.trunc(id), parameters.cell('value'));
  const root = beginCell().storeDictDirect(dictionary).endCell();
  // The hash distinguishes successive changes of a parameter.
  const change = `parameter ${Math.trunc(id)} set (${root.hash().toString('hex').slice(0, 8)})`;
  const [original = ''] = origin.split('; parameter ', 1);
  return { root, origin: `${original}; ${change}` };
}
