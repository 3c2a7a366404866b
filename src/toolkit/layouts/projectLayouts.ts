import { isJettonMethod } from '../opcodes/countsJettons';
import { contractGroups } from '../abi/contractGroups';
import type { ProjectContract } from '../abi/projectContract';
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
  for (const { parts } of contractGroups(contracts)) {
    const best = Math.min(...parts.map(rankOf));
    const files = [...new Set(parts.map(({ file }) => file))];
    for (const part of parts.filter((one) => one.layoutTexts !== undefined && rankOf(one) === best)) {
      if (!known.has(part)) {
        await pause();
        known.set(part, await read(part));
      }
      const set = known.get(part);
      if (set !== undefined && set.structs.size > 0) {
        sets.push(set.files?.join() === files.join() ? set : { ...set, files });
      }
    }
  }
  return sets.sort((a, b) => a.origin.localeCompare(b.origin));
}

function rankOf({ file, origin, layoutTexts }: ProjectContract): number {
  if (layoutTexts === undefined) {
    return Infinity;
  }
  switch (origin) {
    case 'compiler ABI':
      return file.endsWith('.abi') ? 2 : 0;
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
