import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startCommandLine } from './commandLine';

/** What `localnet --json` prints when it is ready. */
export interface LocalnetReady {
  v2: string;
  v3: string;
  accounts: { name: string; address: string; kind: string; publicKey: string; secretKey: string }[];
}

/** A local network run by `ton-workbench localnet --json`. */
export interface LocalnetCommand {
  ready: LocalnetReady;
  /** Its address as `--network` takes it. */
  origin: string;
  /** Ends it, and expects exit status 0. */
  stop(): Promise<void>;
}

/** Starts a network on a free port. */
export async function startLocalnetCommand(...options: string[]): Promise<LocalnetCommand> {
  // Commands that run elsewhere do not find it by the folder.
  const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-localnet-'));
  const { child, ended, firstLine } = await startCommandLine(
    ['localnet', '--port', '0', '--json', ...options],
    folder,
  );
  const ready = JSON.parse(firstLine) as LocalnetReady;
  return {
    ready,
    origin: new URL(ready.v2).origin,
    stop: async () => {
      child.kill('SIGTERM');
      assert.equal(await ended, 0);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
