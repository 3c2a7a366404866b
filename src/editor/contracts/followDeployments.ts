import * as vscode from 'vscode';
import { toWorkbenchError } from '../../toolkit/base/errors';
import type { DeploymentsRecord } from '../../toolkit/project/deployments';
import { learnRecorded } from '../project/recordedDeployments';
import type { Services } from '../project/services';

/**
 * Reads `deployments/*.json` of the folder, now and when one changes: a team commits them. A record that cannot be read
 * names nothing, and is told once, with its lines.
 */
export function followDeployments(services: Services, onChange: () => void): vscode.Disposable {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder?.scheme !== 'file') {
    return { dispose: () => undefined };
  }
  const { networks, log } = services;
  const told = new Set<string>();
  const tell = (error: unknown): void => {
    const { message } = toWorkbenchError(error);
    log.warn(message);
    if (!told.has(message)) {
      told.add(message);
      void vscode.window.showWarningMessage(message);
    }
  };
  const read = async (): Promise<void> => {
    const [{ readDeployments }, { deployedAccounts }] = await Promise.all([
      import('../../toolkit/project/deploymentsFolder'),
      import('../../toolkit/project/deployments'),
    ]);
    for (const { name, kind } of networks.list()) {
      let record: DeploymentsRecord | undefined;
      try {
        record = kind === 'local' ? undefined : readDeployments(folder.fsPath, name);
      } catch (error) {
        tell(error);
      }
      learnRecorded(services, name, {
        names: record === undefined ? new Map() : deployedAccounts(record),
        sources: new Map(
          record?.deployments.flatMap(({ source, address }): [string, string][] =>
            source === undefined ? [] : [[source, address]],
          ),
        ),
      });
    }
    onChange();
  };
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(folder, 'deployments/*.json'),
  );
  const update = (): void => void read();
  // Most projects have no record: then nothing is loaded.
  void vscode.workspace
    .findFiles(new vscode.RelativePattern(folder, 'deployments/*.json'), null, 1)
    .then((found) => (found.length > 0 ? read() : undefined));
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(update),
    watcher.onDidCreate(update),
    watcher.onDidDelete(update),
  );
}
