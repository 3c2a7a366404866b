import { isJettonMethod } from '../opcodes/countsJettons';
import { contractGroups } from '../abi/contractGroups';
import type { ContractGroup } from '../abi/contractGroups';
import { plainName } from '../abi/projectContract';
import type { ProjectContract } from '../abi/projectContract';
import { groupBy } from '../groupBy';
import { limits } from '../limits';
import type { LayoutSet } from './cellLayout';
import { readFuncSourceLayouts } from './readFuncSourceLayouts';
import { readLayouts } from './readLayouts';
import { readTactSourceLayouts } from './readTactSourceLayouts';
import { readTolkSourceLayouts } from './readTolkSourceLayouts';

/** A changed file makes the project a new one, whose contracts are new objects. */
const known = new WeakMap<ProjectContract, LayoutSet | undefined>();

/**
 * How the structs of a project's contracts lie in cells, in file order: from the ABIs that compilers wrote,
 * and from the sources of contracts that have none (in FunC, its TL-B comments). A Tact .abi does not say how its contract's
 * data begins, so it is used only if there is neither a package nor a source. Unreadable files are
 * skipped.
 *
 * @param pause lets other work run between two files
 */
export async function projectLayouts(
  contracts: readonly ProjectContract[],
  pause: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve)),
): Promise<LayoutSet[]> {
  const sets: LayoutSet[] = [];
  const codesOf = codeNames(contracts);
  for (const group of contractGroups(contracts)) {
    const { parts } = group;
    const best = Math.min(...parts.map(rankOf));
    const files = [...new Set(parts.map(({ file }) => file))];
    const sources = [...new Set([...files, ...parts.flatMap(({ imports = [] }) => imports)])];
    for (const part of parts.filter((one) => one.layoutTexts !== undefined && rankOf(one) === best)) {
      if (!known.has(part)) {
        await pause();
        known.set(part, await read(part));
      }
      const set = known.get(part);
      if (set !== undefined && set.structs.size > 0) {
        sets.push({ ...set, files, sources, codes: codesOf(group) });
      }
    }
  }
  return sets.sort((a, b) => a.origin.localeCompare(b.origin));
}

/**
 * How texts name the codes of the contracts with a source, by the contract that does not name itself: by the path if
 * others have the name; those in the nearest folders first.
 */
function codeNames(contracts: readonly ProjectContract[]): (own: ContractGroup) => string[] {
  const groups = contractGroups(contracts);
  const named = groupBy(groups, ({ name }) => plainName(name));
  const within = new Map<string, ContractGroup[]>();
  for (const group of groups.filter(({ source }) => source !== undefined)) {
    for (const folder of foldersOf(group)) {
      const known = within.get(folder) ?? [];
      within.set(folder, known);
      if (known.length <= limits.codeNames.most) {
        known.push(group);
      }
    }
  }
  const textOf = ({ name, source = name }: ContractGroup): string =>
    named.get(plainName(name))?.length === 1 ? name : source;
  return (own) => {
    const near = foldersOf(own).flatMap((folder) => within.get(folder) ?? []);
    const others = [...new Set(near)].filter((group) => group !== own);
    return others.slice(0, limits.codeNames.most).map(textOf);
  };
}

/** The folders around a contract's source, from its own to the project's. */
function foldersOf({ source = '' }: ContractGroup): string[] {
  const parts = source.split('/').slice(0, -1);
  return [...parts.map((_, place) => parts.slice(0, parts.length - place).join('/')), ''];
}

function rankOf({ file, origin, hasChanged, layoutTexts }: ProjectContract): number {
  if (layoutTexts === undefined) {
    return Infinity;
  }
  switch (origin) {
    case 'compiler ABI':
      // What is older than the source is used only if that is not there.
      return hasChanged === true || file.endsWith('.abi') ? 2 : 0;
    case 'FunC source':
      // Comments can be older than the code.
      return 3;
    default:
      return 1;
  }
}

async function read(contract: ProjectContract): Promise<LayoutSet | undefined> {
  const set = await readStructs(contract);
  const constants = contract.methods.find((method) => method.constants !== undefined)?.constants;
  const ofJetton = contract.methods.some(({ name }) => isJettonMethod(name));
  return set && { ...set, ...(constants && { constants }), ...(ofJetton && { ofJetton }) };
}

async function readStructs({
  name,
  file,
  origin,
  layoutTexts: [text = '', ...imported] = [],
  schemas,
}: ProjectContract): Promise<LayoutSet | undefined> {
  try {
    switch (origin) {
      case 'Tolk source':
        return readTolkSourceLayouts(file, name, text, imported);
      case 'FunC source':
        return readFuncSourceLayouts(file, name, text, imported, schemas);
      case 'Tact source':
        return readTactSourceLayouts(file, name, text, imported);
      default:
        return await readLayouts(file, text);
    }
  } catch {
    return undefined;
  }
}
