import type { DeployedCode } from '../toolkit/abi/describeContract';
import type { StorageLayout } from '../toolkit/layouts/findStorage';
import { projectWith } from './readProjectOf';
import type { MessageNames } from '../toolkit/opcodes/messageNames';
import { surroundings } from './surroundings';

/** What the project around the working folder knows about the data and the messages of a code. */
export async function storageHere(
  deployed: DeployedCode,
): Promise<{ storage: StorageLayout | undefined; messages: MessageNames }> {
  const [{ describeContract }, { projectStorage }] = await Promise.all([
    import('../toolkit/abi/describeContract'),
    import('../toolkit/layouts/projectStorage'),
  ]);
  const contracts = await projectWith(surroundings().folder, deployed);
  const { name, file, messages } = describeContract(deployed, contracts);
  return { storage: await projectStorage(contracts, { name, file }), messages };
}
