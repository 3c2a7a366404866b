import type { ContractRef } from '../abi/contractGroups';
import { plainName } from '../abi/projectContract';
import { sourceLanguage } from '../abi/sourceReadings';
import type { LayoutSet } from './cellLayout';

/**
 * The contract that accepts the message: the one in this file, or the only one that imports it.
 * @param own the contract and the file with the lens
 */
export function receiverOf(
  sets: readonly LayoutSet[],
  message: string,
  own: Required<ContractRef>,
): ContractRef | undefined {
  const named = sets.filter(
    (set) =>
      set.contract !== undefined &&
      (set.sources ?? []).includes(own.file ?? '') &&
      [...set.structs.values()].some(({ name, isMessage }) => isMessage && name === message),
  );
  const all = [...new Map(named.map((set) => [`${set.contract} ${set.files?.join()}`, set])).values()];
  const inFile = all.find((set) => isSetOf(set, own));
  const others = all.filter((set) => !isSetOf(set, own));
  const [other] = others;
  const isImported = inFile !== undefined && others.length === 1 && !isStored(inFile) && isStored(other);
  const found = isImported ? other : (inFile ?? (others.length === 1 ? other : undefined));
  const isSource = (file: string): boolean => sourceLanguage(file) !== undefined;
  return found?.contract === undefined
    ? undefined
    : { name: found.contract, file: found.files?.find(isSource) };
}

/** Whether it is the contract of this name in this file. */
export function isSetOf({ contract, files }: LayoutSet, own: ContractRef): boolean {
  const isNamed = contract !== undefined && plainName(contract) === plainName(own.name);
  return isNamed && files?.includes(own.file ?? '') === true;
}

/** Whether a contract has data; a file that is only imported has none. */
function isStored(set: LayoutSet | undefined): boolean {
  return [...(set?.structs.values() ?? [])].some(({ isStorage }) => isStorage);
}
