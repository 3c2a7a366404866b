import { plainName } from '../abi/projectContract';
import type { LayoutSet, StructLayout } from './cellLayout';

/** The struct that a contract keeps as its data. */
export interface StorageLayout {
  set: LayoutSet;
  layout: StructLayout;
}

/** What a contract keeps, by its name, as its source or ABI says; undefined where neither does. */
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
