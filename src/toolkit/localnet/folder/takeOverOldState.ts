import * as fs from 'node:fs';
import path from 'node:path';
import { FolderLock } from '../../journal/folderLock';
import { stateInUseError } from '../storage/stateErrors';

const stateFolders = ['localNetwork', 'localNetworkFork'];

/**
 * Moves the state that earlier versions kept in a window's own storage to the folder's directory, once: a directory
 * that has a state keeps it. An editor gives a window whose storage is in use another one, `ID-1`; the state is looked
 * for in the first one, `ID`, too.
 * @param storage the extension's storage for this window, `…/workspaceStorage/ID/EXTENSION`
 * @returns where the state was, or undefined if there was none to move
 * @throws WorkbenchError `localnet-state-in-use` while a window with an earlier version runs on it
 */
export async function takeOverOldState(storage: string, directory: string): Promise<string | undefined> {
  if (fs.existsSync(path.join(directory, 'localNetwork'))) {
    return undefined;
  }
  const window = path.dirname(storage);
  const first = path.join(path.dirname(window), firstId(path.basename(window)), path.basename(storage));
  const from = [storage, first].find((place) => fs.existsSync(path.join(place, 'localNetwork')));
  if (from === undefined) {
    return undefined;
  }
  for (const name of stateFolders) {
    const old = path.join(from, name);
    if (fs.existsSync(old)) {
      await move(old, path.join(directory, name));
    }
  }
  return from;
}

/** `ID` of `ID-1` and `ID-5a71-1`; another id is itself. */
function firstId(id: string): string {
  const parts = id.split('-');
  if (parts.length === 1 || !/^\d+$/.test(parts.at(-1) ?? '')) {
    return id;
  }
  do {
    parts.pop();
  } while (/^[0-9a-f]+$/.test(parts.at(-1) ?? '') && parts.slice(0, -1).join('') !== '');
  return parts.join('-');
}

async function move(from: string, to: string): Promise<void> {
  const lock = await FolderLock.take(from, {
    inUse: (holder, state) => stateInUseError(from, holder, state),
  });
  try {
    fs.rmSync(to, { recursive: true, force: true });
    try {
      fs.renameSync(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') {
        throw error;
      }
      // Another disk: whole under another name first, so that a copy that was cut short is never taken for the state.
      const partial = `${to}.partial`;
      fs.rmSync(partial, { recursive: true, force: true });
      fs.cpSync(from, partial, { recursive: true });
      fs.renameSync(partial, to);
      fs.rmSync(from, { recursive: true, force: true });
    }
    fs.rmSync(path.join(to, 'lock.json'), { force: true });
  } finally {
    lock.release();
  }
}
