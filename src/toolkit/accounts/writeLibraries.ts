import { beginCell, Dictionary } from '@ton/core';
import type { Cell } from '@ton/core';

/** Library cells by their hashes, as the emulator takes them: BoC (base64) of the dictionary, null without libraries. */
export function writeLibraries(cells: Iterable<Cell>): string | null {
  const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  for (const cell of cells) {
    dictionary.set(BigInt(`0x${cell.hash().toString('hex')}`), cell);
  }
  return dictionary.size === 0
    ? null
    : beginCell().storeDictDirect(dictionary).endCell().toBoc().toString('base64');
}
