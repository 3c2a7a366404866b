import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { readUserText } from '../base/readUserFile';
import { writeUserFile } from '../base/writeUserFile';
import type { DeploymentsRecord, RecordedDeployment } from './deployments';
import {
  deploymentsFile,
  deploymentsFolder,
  deploymentsText,
  parseDeployments,
  withDeployment,
} from './deployments';

/** The path of a network's record, relative to the project. */
export function deploymentsPath(network: string): string {
  return `${deploymentsFolder}/${deploymentsFile(network)}`;
}

/**
 * What a project has deployed to a network; undefined if there is no record.
 * @throws WorkbenchError `deployments-invalid` (input), and the file system's errors
 */
export function readDeployments(project: string, network: string): DeploymentsRecord | undefined {
  const file = deploymentsPath(network);
  let text: string;
  try {
    text = readUserText(path.join(project, file), 'deploymentsFile', { inside: project });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  return parseDeployments(text, file);
}

/**
 * Adds a deployment to a network's record. A file that cannot be read is left as it is.
 * @returns whether the file has changed
 * @throws WorkbenchError `deployments-invalid` (input), and the file system's errors
 */
export async function recordDeployment(
  project: string,
  network: string,
  deployment: RecordedDeployment,
): Promise<boolean> {
  const changed = withDeployment(readDeployments(project, network), network, deployment);
  if (changed === undefined) {
    return false;
  }
  await mkdir(path.join(project, deploymentsFolder), { recursive: true });
  await writeUserFile(path.join(project, deploymentsPath(network)), deploymentsText(changed));
  return true;
}
