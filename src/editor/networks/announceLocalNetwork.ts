import * as vscode from 'vscode';
import {
  removeLocalNetworkFile,
  writeLocalNetworkFile,
} from '../../toolkit/localnet/folder/localNetworkFile';
import type { LocalUrls } from '../../toolkit/localnet/folder/localNetworkFile';
import type { FolderNetwork } from '../../toolkit/localnet/folder/hostOrAttach';
import type { Log } from '../../toolkit/base/log';

/**
 * Announces the local network's URLs to programs, until disposed: to the window's new terminals by
 * TON_LOCAL_V2 and TON_LOCAL_V3, and to scripts by `.ton/local.json` in each trusted folder, written by the
 * window that runs the network.
 */
export function announceLocalNetwork(
  { localnet: { v2, v3 }, isShared }: FolderNetwork,
  variables: vscode.EnvironmentVariableCollection,
  log: Log,
): vscode.Disposable {
  variables.persistent = false;
  variables.description = 'The URLs of the local TON network';
  variables.replace('TON_LOCAL_V2', v2);
  variables.replace('TON_LOCAL_V3', v3);
  const ends = [new vscode.Disposable(() => variables.clear())];
  if (!isShared) {
    const files = new LocalNetworkFiles({ v2, v3 }, log);
    files.write();
    ends.push(
      files,
      vscode.workspace.onDidGrantWorkspaceTrust(() => files.write()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => files.write()),
    );
  }
  return vscode.Disposable.from(...ends);
}

class LocalNetworkFiles implements vscode.Disposable {
  readonly #urls: LocalUrls;
  readonly #log: Log;
  readonly #written = new Set<string>();

  constructor(urls: LocalUrls, log: Log) {
    this.#urls = urls;
    this.#log = log;
  }

  write(): void {
    const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
    for (const { uri } of folders.filter((folder) => folder.uri.scheme === 'file')) {
      try {
        writeLocalNetworkFile(uri.fsPath, this.#urls);
        this.#written.add(uri.fsPath);
      } catch (error) {
        this.#log.info(`scripts are not told where the local network is: ${String(error)}`);
      }
    }
  }

  dispose(): void {
    for (const folder of this.#written) {
      try {
        removeLocalNetworkFile(folder);
      } catch (error) {
        this.#log.warn(`.ton/local.json stays in ${folder}: ${String(error)}`);
      }
    }
    this.#written.clear();
  }
}
