import * as vscode from 'vscode';
import type { Access } from '../../toolkit/access/createAccess';
import { toWorkbenchError } from '../../toolkit/base/errors';
import type { Deployment } from '../../toolkit/workflows/planDeployment';
import type { SendServices } from './showRehearsal';

/**
 * Records a contract that is deployed to a network of others: in `deployments/NETWORK.json`, which a team commits, and by
 * its name in the view "Contracts". The local network has its own names. What cannot be recorded is told in full.
 */
export async function recordDeployed(
  { pins, log }: Pick<SendServices, 'pins' | 'log'>,
  access: Access,
  { name, address, codeHash, compiledBy }: Deployment,
  { file, data }: { file: vscode.Uri; data: string },
): Promise<void> {
  const { network } = access;
  if (network.kind === 'local') {
    return;
  }
  const pin = await pins.add(network.name, address);
  const isTaken = pins.of(network.name).some((one) => one.name === name && one.address !== address);
  if (pin.name === undefined && !isTaken) {
    await pins.rename(network.name, address, name);
  }
  const folder =
    vscode.workspace.getWorkspaceFolder(file)?.uri ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const [{ recordDeployment, deploymentsPath }, { deploymentEntry }, { firstTransaction }] =
    await Promise.all([
      import('../../toolkit/project/deploymentsFolder'),
      import('../../toolkit/project/deployments'),
      import('../../toolkit/workflows/planDeployment'),
    ]);
  const first = await firstTransaction(access, address, { priority: 'user' }).catch(() => undefined);
  const source = vscode.workspace.asRelativePath(file, false);
  const deployment = deploymentEntry(
    { name, address, codeHash, source, compiledBy, data, first },
    Date.now(),
  );
  try {
    if (folder?.scheme !== 'file') {
      throw new Error('there is no folder to keep it in.');
    }
    if (await recordDeployment(folder.fsPath, network.name, deployment)) {
      log.info(`recorded ${name} in ${deploymentsPath(network.name)}`);
    }
  } catch (error) {
    const copy = 'Copy Entry';
    const told = `${name} is deployed, but not recorded: ${toWorkbenchError(error).message}`;
    void vscode.window.showWarningMessage(told, copy).then((action) => {
      if (action === copy) {
        void vscode.env.clipboard.writeText(JSON.stringify(deployment, undefined, 2));
      }
    });
  }
}
