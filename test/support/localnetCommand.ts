import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { startCommandLine } from './commandLine';
import { until } from './until';

/** What `localnet --json` prints when it is ready. */
export interface LocalnetReady {
  v2: string;
  v3: string;
  accounts: { name: string; address: string; kind: string; publicKey: string; secretKey: string }[];
}

/** A local network, as `ton-workbench localnet --json` runs it. */
export interface LocalnetCommand {
  ready: LocalnetReady;
  /** Its address as `--network` takes it. */
  origin: string;
  /** The raw address of a named account. */
  rawOf(name: string): string;
  /** The values of all messages from one named account to another, in nanocoins, in order. */
  valuesSent(from: string, to: string): Promise<string[]>;
  /** Resolves when every message is executed. */
  untilIdle(): Promise<void>;
  /** Ends it; a command's exit status must be 0. */
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
  return reached(JSON.parse(firstLine) as LocalnetReady, async () => {
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
    await rm(folder, { recursive: true, force: true });
  });
}

/** The same network in a thread of this process: for tests in which only commands that use it are the subject. */
export async function startLocalnetHere(): Promise<LocalnetCommand> {
  const network = await startLocalnet({ port: 0, log: silentLog });
  const { v2, v3, accounts } = network;
  return reached({ v2, v3, accounts: [...accounts] }, () => network.close());
}

function reached(ready: LocalnetReady, stop: () => Promise<void>): LocalnetCommand {
  const { origin } = new URL(ready.v2);
  const rawOf = (name: string): string => ready.accounts.find((one) => one.name === name)?.address ?? '';
  return {
    ready,
    origin,
    rawOf,
    valuesSent: async (from, to) => {
      const parts = { source: rawOf(from), destination: rawOf(to), sort: 'asc', limit: '1000' };
      const query = new URLSearchParams(parts);
      const answer = await fetch(`${ready.v3}/messages?${query.toString()}`);
      const { messages } = (await answer.json()) as { messages: { value: string }[] };
      return messages.map(({ value }) => value);
    },
    untilIdle: async () => {
      await until(async () => {
        const status = await fetch(`${origin}/control/status`);
        return ((await status.json()) as { idle: boolean }).idle;
      }, 'every message is executed');
    },
    stop,
  };
}
