import path from 'node:path';
import type { DeployedCode } from '../toolkit/contracts/abi/contractDescription';
import { describeContract } from '../toolkit/contracts/abi/contractDescription';
import { sourceLanguage } from '../toolkit/contracts/abi/sourceLanguage';
import { sourceMapHere } from './linesHere';
import { projectPlace, projectWith } from './projectWith';
import { surroundings } from './surroundings';

/**
 * The source of a code in the project around the working folder, also if it has changed since; undefined if none is known.
 *
 * @param isTrusted the user runs the project's code anyway, so its own compilers may run, too
 * @returns absolute
 */
export async function sourceOfCode(deployed: DeployedCode, isTrusted: boolean): Promise<string | undefined> {
  const { folder } = surroundings();
  const project = await projectWith(folder, deployed);
  const { file, changedSource } = describeContract(deployed, project);
  const built = project.find((one) => one.codeHash === deployed.codeHash && one.source !== undefined);
  const known = [changedSource, file, built?.source].find(
    (one) => one !== undefined && sourceLanguage(one) !== undefined,
  );
  if (known !== undefined) {
    return path.join(await projectPlace(folder), known);
  }
  return (await sourceMapHere(deployed, undefined, isTrusted)).named;
}
