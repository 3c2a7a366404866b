import { plainName } from '../abi/projectContract';
import type { ProjectContract } from '../abi/projectContract';
import type { LayoutSet } from './cellLayout';
import { readLayouts } from './readLayouts';
import { readTolkSourceLayouts } from './readTolkSourceLayouts';

/** A project is read again when a file has changed, and then its contracts are other objects. */
const known = new WeakMap<ProjectContract, LayoutSet | undefined>();

/**
 * How the structs of a project's contracts lie in cells: by the ABIs that compilers wrote, and by the Tolk sources of the
 * contracts that have none. In the order of their files. A file that cannot be read tells nothing; `onProblem` hears of it.
 *
 * @param pause others come in between two files
 */
export async function projectLayouts(
  contracts: readonly ProjectContract[],
  onProblem: (path: string, error: unknown) => void = () => {},
  pause: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve)),
): Promise<LayoutSet[]> {
  const withAbi = new Set(
    contracts
      .filter(({ origin, layoutTexts }) => layoutTexts && origin === 'compiler ABI')
      .map(({ name }) => plainName(name)),
  );
  const sets: LayoutSet[] = [];
  for (const contract of contracts) {
    if (
      contract.layoutTexts === undefined ||
      (contract.origin === 'Tolk source' && withAbi.has(plainName(contract.name)))
    ) {
      continue;
    }
    if (!known.has(contract)) {
      await pause();
      known.set(contract, await read(contract, onProblem));
    }
    const set = known.get(contract);
    if (set !== undefined && set.structs.size > 0) {
      sets.push(set);
    }
  }
  return sets.sort((a, b) => a.origin.localeCompare(b.origin));
}

async function read(
  { name, file, origin, layoutTexts: [text = '', ...imported] = [] }: ProjectContract,
  onProblem: (path: string, error: unknown) => void,
): Promise<LayoutSet | undefined> {
  try {
    return origin === 'Tolk source'
      ? readTolkSourceLayouts(file, name, text, imported)
      : await readLayouts(file, text);
  } catch (error) {
    onProblem(file, error);
    return undefined;
  }
}
