import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Access } from '../../access/createAccess';
import { WorkbenchError } from '../../base/errors';
import { FolderLock } from '../../base/journal/folderLock';
import { makeFolder } from '../../base/journal/journalDisk';
import type { Log } from '../../base/log';
import { systemClock } from '../../base/time';
import { attachLocalnet } from '../attachLocalnet';
import type { Localnet } from '../localnet';
import { startLocalnet } from '../startLocalnet';
import { stateInUseError } from '../storage/stateStore';
import type { ChosenFork } from './folderRecord';
import { changeFolderRecord, readFolderRecord } from './folderRecord';

/** Milliseconds to wait for another window that is starting or stopping the network. */
const patience = 30_000;
const pause = 100;

export interface FolderNetworkOptions {
  /** The port for a folder without one; if it is in use, a free one is used and remembered. */
  port: number;
  /** Opens the network to fork. */
  openFork: (fork: ChosenFork) => Promise<Access>;
  /** Runs before the state is opened, while no other window can open it. */
  prepare?: () => Promise<void>;
  allowedOrigins?: readonly string[];
  log: Log;
  signal?: AbortSignal | undefined;
}

/** The local network of a folder, run by this process or by another one. */
export interface FolderNetwork {
  localnet: Localnet;
  /** Whether another process runs it. */
  isShared: boolean;
  /** The port differs from the requested one, and is new for this folder. */
  isPortNew: boolean;
  /** Stops the network; if another process runs it, only detaches from it. */
  close(): Promise<void>;
}

/**
 * Runs the local network of a folder, or attaches to the one that another process runs. Waits for a process
 * that is starting or stopping it.
 * @param directory where this folder's network keeps its state
 * @throws WorkbenchError `localnet-state-in-use`, `aborted`, and the errors of starting a network
 */
export async function hostOrAttach(directory: string, options: FolderNetworkOptions): Promise<FolderNetwork> {
  const { log, signal } = options;
  makeFolder(directory);
  const end = systemClock.monotonic() + patience;
  for (;;) {
    signal?.throwIfAborted();
    const isLate = systemClock.monotonic() > end;
    const taken = await takeLock(directory);
    if (taken instanceof FolderLock) {
      return host(directory, taken, options);
    }
    const port = taken.details['port'];
    if (typeof port === 'number' && (isLate || readFolderRecord(directory).isOn === true)) {
      const localnet = await attachLocalnet(port, { log }).catch(() => undefined);
      if (localnet !== undefined) {
        return { localnet, isShared: true, isPortNew: false, close: () => localnet.close() };
      }
    }
    if (isLate) {
      throw taken;
    }
    await systemClock.sleep(pause, signal);
  }
}

async function takeLock(directory: string): Promise<FolderLock | WorkbenchError> {
  try {
    return await FolderLock.take(directory, {
      inUse: (holder, state) => stateInUseError(directory, holder, state),
    });
  } catch (error) {
    if (WorkbenchError.is(error, 'localnet-state-in-use')) {
      return error;
    }
    throw error;
  }
}

async function host(
  directory: string,
  lock: FolderLock,
  options: FolderNetworkOptions,
): Promise<FolderNetwork> {
  try {
    await options.prepare?.();
    const { fork, port: before } = readFolderRecord(directory);
    const localnet = await startIn(directory, options);
    try {
      lock.announce(localnet.port);
      const isKept = fork === undefined ? undefined : { network: fork.network, seqno: fork.seqno };
      changeFolderRecord(directory, {
        isOn: true,
        port: localnet.port,
        wantedPort: options.port,
        fork: isKept,
      });
    } catch (error) {
      await localnet.close();
      throw error;
    }
    localnet.onStatus(({ state }) => {
      if (state === 'failed') {
        lock.release();
      }
    });
    return {
      localnet,
      isShared: false,
      isPortNew: localnet.port !== options.port && localnet.port !== before,
      close: async () => {
        await localnet.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Starts on the folder's own port, else on the requested one, else on any free one. */
async function startIn(directory: string, options: FolderNetworkOptions): Promise<Localnet> {
  const { port: wanted, allowedOrigins, log } = options;
  const { port, wantedPort, fork } = readFolderRecord(directory);
  const forkDirectory = path.join(directory, 'localNetworkFork');
  if (fork === undefined || fork.isNew === true) {
    rmSync(forkDirectory, { recursive: true, force: true });
  }
  const shared = {
    stateDirectory: fork === undefined ? path.join(directory, 'localNetwork') : forkDirectory,
    fork: fork === undefined ? undefined : { access: await options.openFork(fork), seqno: fork.seqno },
    allowedOrigins,
    log,
  };
  options.signal?.throwIfAborted();
  if (port !== undefined && port !== wanted && wantedPort === wanted) {
    try {
      return await startLocalnet({ ...shared, port });
    } catch (error) {
      if (!WorkbenchError.is(error, 'localnet-port-taken')) {
        throw error;
      }
      log.info(`port ${port}, where this folder's network listened before, is taken`);
    }
  }
  return startLocalnet({ ...shared, port: wanted, portFallback: true });
}
