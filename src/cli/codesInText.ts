import type { Cell } from '@ton/core';
import path from 'node:path';
import { codeNamesIn } from '../toolkit/build/olderCodeTitle';
import { compileFile, pathHere, surroundings } from './surroundings';

/**
 * The codes of the project's contracts that a text uses by name, `code JettonWallet`. They are remembered, so that
 * contracts with them are recognized later, whoever deploys these.
 *
 * @param folder in the project; default: the working folder
 * @throws WorkbenchError those of compiling and of reading build output
 */
export async function codesInText(
  text: string,
  folder: string = surroundings().folder,
  isDry?: boolean,
): Promise<ReadonlyMap<string, Cell>> {
  if (codeNamesIn(text).length === 0) {
    return new Map();
  }
  const [
    { namedCodes },
    { projectAround, projectPlace, rememberBuilt },
    { sourceLanguage },
    { readContract },
  ] = await Promise.all([
    import('../toolkit/build/namedCodes'),
    import('./projectWith'),
    import('../toolkit/contracts/abi/sourceLanguage'),
    import('./readContract'),
  ]);
  const root = await projectPlace(folder);
  return namedCodes(text, await projectAround(folder), async (name) => {
    const file = pathHere(path.join(root, name));
    if (sourceLanguage(file) === undefined) {
      return [await readContract(file)];
    }
    const built = await compileFile(file, { isTrusted: true });
    await rememberBuilt(file, built, { isDry });
    return built;
  });
}
