import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onEnd } from '../../../scripts/lib/cleanUp.mjs';
import { developmentFolder } from '../../../scripts/lib/developmentFolder.mjs';

let folder: Promise<string> | undefined;

/** The development extension of all windows: none changes it, and it has many files. */
export function sharedExtension(): Promise<string> {
  return (folder ??= copyIt());
}

async function copyIt(): Promise<string> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'ton-workbench-extension-'));
  onEnd(() => rm(scratch, { recursive: true, force: true }));
  return developmentFolder(path.join(scratch, 'extension'));
}
