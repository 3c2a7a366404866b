import { plainName } from '../contracts/abi/projectContract';
import { WorkbenchError } from '../base/errors';
import { fileName } from '../base/text';
import { contractName } from './readBuiltContract';
import type { BuiltContract } from './readBuiltContract';

/**
 * Picks one of a source's contracts: the only one, else the one with the given name, else the one named like
 * the file.
 * @param path the source's path
 * @throws WorkbenchError `contract-ambiguous` (input) with `details.names`
 */
export function oneContract(built: readonly BuiltContract[], path: string, wanted?: string): BuiltContract {
  const name = plainName(wanted ?? contractName(path));
  const only = built.length === 1 && wanted === undefined ? built[0] : undefined;
  const found = only ?? built.find((one) => plainName(one.name) === name);
  if (found === undefined) {
    const file = fileName(path);
    const names = built.map((one) => one.name);
    const list = names.join(', ');
    throw new WorkbenchError({
      code: 'contract-ambiguous',
      kind: 'input',
      message:
        wanted === undefined
          ? `${file} declares ${names.length === 0 ? 'no contract' : `several contracts: ${list}`}.`
          : `${file} declares no contract ${wanted}${names.length === 0 ? '' : `, but ${list}`}.`,
      hint: names.length === 0 ? 'Choose a source that declares one.' : 'Say which one.',
      details: { names },
    });
  }
  return found;
}
