import type { Access } from '../toolkit/access/createAccess';
import type { Network } from '../toolkit/access/network';
import { WorkbenchError } from '../toolkit/base/errors';
import type { RecordedDeployment } from '../toolkit/project/deployments';
import type { Deployment } from '../toolkit/workflows/planDeployment';
import { writeNote } from './output';
import { projectPlace } from './projectWith';
import { pathHere, surroundings } from './surroundings';

/**
 * The names of what the project here has deployed to a network, with raw addresses. A local network has its own names.
 * @throws WorkbenchError `deployments-invalid` (input)
 */
export async function recordedNames(network: Network): Promise<ReadonlyMap<string, string>> {
  if (network.kind === 'local') {
    return new Map();
  }
  const [{ readDeployments }, { deployedAccounts }] = await Promise.all([
    import('../toolkit/project/deploymentsFolder'),
    import('../toolkit/project/deployments'),
  ]);
  const record = readDeployments(await projectPlace(surroundings().folder), network.name);
  return record === undefined ? new Map() : deployedAccounts(record);
}

/** As {@link recordedNames}, for showing names: a record that cannot be read costs only those, and a note. */
export async function namesToShow(network: Network): Promise<ReadonlyMap<string, string>> {
  try {
    return await recordedNames(network);
  } catch (error) {
    if (!WorkbenchError.is(error)) {
      throw error;
    }
    writeNote(`! ${error.message}`);
    return new Map();
  }
}

/** What is deployed to a network of others is recorded for the team; a local network has its own names. */
export async function keepDeployed(
  { name, address, codeHash, compiledBy }: Deployment,
  access: Access,
  { file, contract, data }: { file: string; contract?: string | undefined; data: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { network } = access;
  if (network.kind === 'local') {
    return;
  }
  const [{ deploymentEntry }, { firstTransaction }, { nameInProject }] = await Promise.all([
    import('../toolkit/project/deployments'),
    import('../toolkit/workflows/planDeployment'),
    import('./projectWith'),
  ]);
  const first = await firstTransaction(access, address, { signal, priority: 'user' });
  // The record is in the project around the working folder.
  const source = await nameInProject(pathHere(file), surroundings().folder);
  const deployed = { name, address, codeHash, source, contract, compiledBy, data, first };
  await keepDeployment(network, deploymentEntry(deployed, surroundings().clock.now()));
}

/** Keeps a deployment in the project's record; if that fails, it is told in full, so that nothing is lost. */
async function keepDeployment(network: Network, deployment: RecordedDeployment): Promise<void> {
  const { recordDeployment, deploymentsPath } = await import('../toolkit/project/deploymentsFolder');
  try {
    const isNew = await recordDeployment(await projectPlace(surroundings().folder), network.name, deployment);
    if (isNew) {
      writeNote(`Recorded in ${deploymentsPath(network.name)}.`);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    writeNote(`! Not recorded: ${reason} Add this by hand: ${JSON.stringify(deployment)}`);
  }
}
