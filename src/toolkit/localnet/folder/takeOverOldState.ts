import * as fs from 'node:fs';
import path from 'node:path';
import { FolderLock } from '../../base/journal/folderLock';
import { stateInUseError } from '../storage/stateStore';

const stateFolders = ['localNetwork', 'localNetworkFork'];

/**
 * Moves the state that earlier versions kept in a window's own storage to the folder's directory, unless that
 * already has a state. An editor gives a window whose storage is in use another one, `ID-1`, so the first
 * one, `ID`, is searched, too.
 * @param storage the extension's storage for this window, `…/workspaceStorage/ID/EXTENSION`
 * @returns where the state was, or undefined if there was none to move
 * @throws WorkbenchError `localnet-state-in-use` while a window with an earlier version uses it
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

/** The `ID` of `ID-1` and `ID-5a71-1`; other ids are returned as they are. */
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
      // On another disk: copied under another name first, so that an interrupted copy is never taken for the
      // state.
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
