import { plainName } from '../abi/projectContract';
import type { LayoutSet, StructLayout } from './cellLayout';

/** The struct of a contract's data. */
export interface StorageLayout {
  set: LayoutSet;
  layout: StructLayout;
}

/**
 * The struct of a contract's data, by the contract's name, as its source or ABI declares it; undefined if
 * neither does.
 */
export function findStorage(sets: readonly LayoutSet[], contract: string): StorageLayout | undefined {
  for (const set of sets) {
    if (set.contract !== undefined && plainName(set.contract) === plainName(contract)) {
      const layout = [...set.structs.values()].find(({ isStorage }) => isStorage);
      if (layout !== undefined) {
        return { set, layout };
      }
    }
  }
  return undefined;
}
