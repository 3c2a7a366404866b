import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import { WorkbenchError } from '../../toolkit/base/errors';
import { FolderLock } from '../../toolkit/base/journal/folderLock';
import { makeFolder } from '../../toolkit/base/journal/journalDisk';
import type { ChosenFork, FolderRecord } from '../../toolkit/localnet/folder/folderRecord';
import {
  changeFolderRecord,
  folderRecordName,
  readFolderRecord,
} from '../../toolkit/localnet/folder/folderRecord';
import type { FolderNetwork } from '../../toolkit/localnet/folder/hostOrAttach';
import type { Log } from '../../toolkit/base/log';
import type { AccessClients } from './accessClients';
import type { Networks } from './networks';

/** The parts of the extension's context that determine storage locations. */
export type FolderContext = Pick<
  vscode.ExtensionContext,
  'storageUri' | 'globalStorageUri' | 'workspaceState'
>;

export interface FolderLocalNetworkOptions {
  context: FolderContext;
  networks: Networks;
  /** Access to the network that is forked. */
  clients: AccessClients;
  log: Log;
}

/** Where earlier versions remembered a workspace's fork. */
const oldForkKey = 'localNetworkFork';

/** The local network of the window's folder, shared by all windows on that folder. */
export class FolderLocalNetwork {
  readonly #options: FolderLocalNetworkOptions;
  /** The folder of the state; undefined in a window without a folder, whose network is kept in memory. */
  readonly #directory: string | undefined;
  #inMemory: FolderRecord = {};

  constructor(directory: string | undefined, options: FolderLocalNetworkOptions) {
    this.#directory = directory;
    this.#options = options;
  }

  record(): FolderRecord {
    return this.#directory === undefined ? this.#inMemory : readFolderRecord(this.#directory);
  }

  change(change: FolderRecord): void {
    if (this.#directory === undefined) {
      this.#inMemory = { ...this.#inMemory, ...change };
    } else {
      changeFolderRecord(this.#directory, change);
    }
  }

  /** Whether another window currently runs the network. */
  isRunElsewhere(): boolean {
    const holder = this.#directory === undefined ? undefined : FolderLock.holder(this.#directory);
    return holder?.port !== undefined && holder.pid !== process.pid;
  }

  /** Calls the listener whenever a window has changed the record. */
  watch(listener: () => void): vscode.Disposable {
    if (this.#directory === undefined) {
      return new vscode.Disposable(() => undefined);
    }
    makeFolder(this.#directory);
    const watcher = fs.watch(this.#directory, { persistent: false }, (_, name) => {
      if (name === null || name === folderRecordName) {
        listener();
      }
    });
    watcher.on('error', (error) => this.#options.log.warn(`other windows are not seen: ${String(error)}`));
    return new vscode.Disposable(() => watcher.close());
  }

  /** Runs the network, or attaches to the one that another window runs. */
  async start(signal: AbortSignal): Promise<FolderNetwork> {
    const { log } = this.#options;
    const port = readSetting(vscode.workspace, 'tonWorkbench.ports').localNetwork;
    const allowedOrigins = readSetting(vscode.workspace, 'tonWorkbench.localNetwork.allowedOrigins');
    if (this.#directory !== undefined) {
      const { hostOrAttach } = await import('../../toolkit/localnet/folder/hostOrAttach');
      return hostOrAttach(this.#directory, {
        port,
        allowedOrigins,
        openFork: (fork) => this.#openFork(fork),
        prepare: () => this.#takeOverOldState(),
        log,
        signal,
      });
    }
    const { startLocalnet } = await import('../../toolkit/localnet/startLocalnet');
    const { fork } = this.#inMemory;
    const localnet = await startLocalnet({
      port,
      portFallback: true,
      fork: fork === undefined ? undefined : { access: await this.#openFork(fork), seqno: fork.seqno },
      allowedOrigins,
      log,
    });
    return {
      localnet,
      isShared: false,
      isPortNew: localnet.portChanged,
      close: () => localnet.close(),
    };
  }

  async #openFork({ network: name }: ChosenFork): Promise<Access> {
    const { networks, clients } = this.#options;
    const network = networks.list().find((one) => one.name === name && one.kind !== 'local');
    if (network === undefined) {
      throw new WorkbenchError({
        code: 'fork-network-unknown',
        kind: 'input',
        message: `The network ${name}, which the local network forks, is no longer in the settings.`,
        hint: 'Add it again, or run TON: Leave Fork.',
      });
    }
    return clients.to(network);
  }

  async #takeOverOldState(): Promise<void> {
    const { context, log } = this.#options;
    const directory = this.#directory;
    if (directory === undefined || context.storageUri === undefined) {
      return;
    }
    const { takeOverOldState } = await import('../../toolkit/localnet/folder/takeOverOldState');
    const from = await takeOverOldState(context.storageUri.fsPath, directory);
    if (from !== undefined) {
      log.info(`took over the local network's state from ${from}`);
    }
    const fork = context.workspaceState.get<ChosenFork>(oldForkKey);
    if (fork !== undefined) {
      this.change({ fork });
      await context.workspaceState.update(oldForkKey, undefined);
    }
  }
}

/** The local network of the window's folder or workspace file. */
export async function openFolderLocalNetwork(
  options: FolderLocalNetworkOptions,
): Promise<FolderLocalNetwork> {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const uri = workspaceFile ?? workspaceFolders?.[0]?.uri;
  if (uri === undefined) {
    return new FolderLocalNetwork(undefined, options);
  }
  const identity = createHash('sha256')
    .update(await identityOf(uri))
    .digest('hex')
    .slice(0, 32);
  const directory = path.join(options.context.globalStorageUri.fsPath, 'localNetworks', identity);
  return new FolderLocalNetwork(directory, options);
}

/** A folder that is reached through links counts as the same folder. */
async function identityOf(uri: vscode.Uri): Promise<string> {
  if (uri.scheme !== 'file') {
    return uri.toString();
  }
  const real = await fs.promises.realpath(uri.fsPath).catch(() => uri.fsPath);
  return vscode.Uri.file(real).toString();
}
