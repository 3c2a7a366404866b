import { deployableFile } from '../project/deployableFile';
import { deployBuilt } from './deployCommand';
import type { SendServices } from './showRehearsal';

/**
 * Deploys a workspace contract by name: from its source if that can be compiled here, else from build output.
 *
 * @param source the file that the request comes from, as text of a URI
 * @returns the raw address, undefined if the user canceled
 * @throws WorkbenchError `contract-not-built` (input), and the errors of deployBuilt
 */
export async function deployNamed(
  services: SendServices,
  contract: string,
  source: string | undefined,
): Promise<string | undefined> {
  const file = await deployableFile(services.project, contract, source);
  if (file === undefined) {
    const { contractNotBuilt } = await import('../../toolkit/contracts/abi/readAbi');
    throw contractNotBuilt(contract);
  }
  // Only a source in Tact declares contracts by name.
  const wanted = file.path.endsWith('.tact') ? contract : undefined;
  return (await deployBuilt(services, file, wanted))?.address;
}
