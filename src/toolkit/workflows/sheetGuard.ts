import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Network } from '../access/network';
import { WorkbenchError } from '../errors';
import { FolderLock } from '../journal/folderLock';
import { callControl } from '../localnet/callControl';
import { controlOf } from '../localnet/controlOf';

/** Seconds to wait until nothing is on its way. */
const idleSeconds = 10;

/** The last run of this process on a network, by the origin of its control API. */
const turns = new Map<string, Promise<void>>();

/**
 * Keeps a local network for one run that changes it: runs of this process wait for their turn, one of another process
 * is an error.
 *
 * @returns releases the network
 * @throws WorkbenchError `call-sheet-busy` (failed), `aborted`
 */
export async function takeNetwork(network: Network, signal: AbortSignal): Promise<() => void> {
  const control = controlOf(network) ?? '';
  const before = turns.get(control) ?? Promise.resolve();
  let end = (): void => undefined;
  const turn = new Promise<void>((resolve) => (end = resolve));
  const all = before.then(() => turn);
  turns.set(control, all);
  try {
    await Promise.race([before, aborted(signal)]);
    const lock = await FolderLock.take(await lockFolder(control), { inUse: () => busyError(network) });
    return () => {
      lock.release();
      end();
    };
  } catch (error) {
    end();
    throw error;
  }
}

/**
 * Remembers where a local network is.
 *
 * @returns goes back there
 * @throws WorkbenchError those of the control API
 */
export async function rememberState(network: Network, signal: AbortSignal): Promise<() => Promise<void>> {
  const control = controlOf(network) ?? '';
  const { seqno } = await callControl(control, 'status', { wait: idleSeconds }, signal);
  return async () => {
    await callControl(control, 'restore', { seqno });
  };
}

/** One per network and user. Ports are the machine's, so a lock is, too. */
async function lockFolder(control: string): Promise<string> {
  const { uid } = os.userInfo();
  const id = createHash('sha256').update(control).digest('hex').slice(0, 16);
  const folder = path.join(os.tmpdir(), `ton-workbench-sheets-${uid}`, id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) {
      stop();
    }
    signal.addEventListener('abort', stop, { once: true });
  });
}

function busyError({ name }: Network): WorkbenchError {
  return new WorkbenchError({
    code: 'call-sheet-busy',
    kind: 'failed',
    message: `Another process is running a call sheet on ${name}.`,
    hint: 'Run it again when the other one has ended, or on a local network of its own.',
  });
}
