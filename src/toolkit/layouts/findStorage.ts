import { isProjectFile } from '../abi/projectFiles';
import { plainName } from '../abi/projectContract';
import type { ContractRef } from '../abi/contractGroups';
import type { LayoutSet, StructLayout } from './cellLayout';

/** The struct of a contract's data. */
export interface StorageLayout {
  set: LayoutSet;
  layout: StructLayout;
  /** More structs that it loads its data as, if that has several forms. */
  others?: readonly StructLayout[];
}

/**
 * The struct of a contract's data, as its source or ABI declares it; undefined if neither does, or if several
 * contracts have this name and no file says which one is meant.
 */
export function findStorage(sets: readonly LayoutSet[], contract: ContractRef): StorageLayout | undefined {
  for (const set of setsOf(sets, contract)) {
    const [layout, ...others] = [...set.structs.values()].filter(({ isStorage }) => isStorage);
    if (layout !== undefined) {
      return { set, layout, ...(others.length === 0 ? {} : { others }) };
    }
  }
  return undefined;
}

/** The structs of one contract; none if several have its name and no file says which one is meant. */
export function setsOf(sets: readonly LayoutSet[], { name, file }: ContractRef): LayoutSet[] {
  const named = sets.filter(
    ({ contract }) => contract !== undefined && plainName(contract) === plainName(name),
  );
  if (file !== undefined && isProjectFile(file)) {
    return named.filter(({ files }) => files === undefined || files.includes(file));
  }
  return new Set(named.map(({ files }) => files?.join('\n'))).size < 2 ? named : [];
}
