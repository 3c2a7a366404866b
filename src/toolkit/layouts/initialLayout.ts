import type { Cell } from '@ton/core';
import type { StorageLayout } from './findStorage';

/**
 * The layout of the data that a contract is deployed with. Of a Tact contract with init() that is init's arguments,
 * which give it the address of the compiler's `fromInit`.
 *
 * @param text the data as typed: with `initialized: …` it is the storage of a contract whose init() has run
 */
export function initialLayout(storage: StorageLayout, text = ''): StorageLayout {
  const { initial } = storage.set;
  return initial === undefined || skipsInit(storage, text) ? storage : { ...storage, layout: initial };
}

/** Whether typed data makes a contract that starts without its init(), and with another address than `fromInit` has. */
export function skipsInit({ set }: StorageLayout, text: string): boolean {
  return set.initial !== undefined && /[{,\s]initialized\s*:/.test(text);
}

/** The layout of a contract's data as it is: before init() has run, that is init's arguments. */
export function layoutOfData(storage: StorageLayout, data: Cell): StorageLayout {
  const { initial } = storage.set;
  const isBefore = initial !== undefined && data.bits.length > 0 && !data.bits.at(0);
  return isBefore ? { ...storage, layout: initial } : storage;
}
