import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Network } from '../access/network';
import { WorkbenchError } from '../errors';
import { FolderLock } from '../journal/folderLock';
import { callControl } from '../localnet/callControl';
import { controlOf } from '../localnet/controlOf';

/** Maximum seconds to wait until no message is in transit. */
const idleSeconds = 10;

/** This process's latest run on each network, by the origin of its control API. */
const turns = new Map<string, Promise<void>>();

/**
 * Reserves a local network for one run that changes it: runs of this process take turns; a run of another
 * process is an error.
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
 * Remembers a local network's current state.
 *
 * @returns restores that state
 * @throws WorkbenchError the errors of the control API
 */
export async function rememberState(network: Network, signal: AbortSignal): Promise<() => Promise<void>> {
  const control = controlOf(network) ?? '';
  const { seqno } = await callControl(control, 'status', { wait: idleSeconds }, signal);
  return async () => {
    await callControl(control, 'restore', { seqno });
  };
}

/** The folder of a network's lock, per user. Ports belong to the machine, and so does the lock. */
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
    hint: 'Run it again once the other one has ended, or on a separate local network.',
  });
}
