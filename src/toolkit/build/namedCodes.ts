import { Cell } from '@ton/core';
import type { ContractGroup, ProjectContract } from '../contracts/abi/projectContract';
import { contractGroups, contractOfKey } from '../contracts/abi/projectContract';
import { codeNamesIn } from './olderCodeTitle';
import { oneContract } from './oneContract';
import type { BuiltContract } from './readBuiltContract';

/**
 * The codes of the project's contracts that a text uses by name, `code JettonWallet`, or by the path of the source.
 * What no contract is called is left to the reader of the text.
 *
 * @param build compiles a source, or reads build output, by its path in the project
 * @throws WorkbenchError those of `build`
 */
export async function namedCodes(
  text: string,
  project: readonly ProjectContract[],
  build: (file: string) => Promise<readonly BuiltContract[]>,
): Promise<Map<string, Cell>> {
  const codes = new Map<string, Cell>();
  for (const name of codeNamesIn(text)) {
    const group = contractCalled(project, name);
    const file = group?.source ?? group?.parts.find(({ codeHash }) => codeHash !== undefined)?.file;
    if (group !== undefined && file !== undefined) {
      const built = await build(file);
      const [only] = built;
      const one = built.length === 1 && only !== undefined ? only : oneContract(built, file, group.name);
      codes.set(name, Cell.fromBase64(one.code));
    }
  }
  return codes;
}

/** Placeholders for the codes that a text uses by name, for checks that compile nothing. */
export function knownCodes(text: string, project: readonly ProjectContract[]): Map<string, Cell> {
  const known = codeNamesIn(text).filter((name) => contractCalled(project, name) !== undefined);
  return new Map(known.map((name) => [name, Cell.EMPTY]));
}

function contractCalled(project: readonly ProjectContract[], name: string): ContractGroup | undefined {
  const isFile = ({ source }: ContractGroup): boolean =>
    source === name || source?.endsWith(`/${name}`) === true;
  const [found, another] = contractGroups(project).filter(isFile);
  return found !== undefined && another === undefined ? found : contractOfKey(project, name);
}
