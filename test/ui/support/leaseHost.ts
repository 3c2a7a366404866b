import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { endProcessTree, processTree } from '../../../scripts/lib/processTree.mjs';
import { writeSettings } from '../../../scripts/lib/webHostSettings.mjs';
import type { WebHost, WebHostOptions } from '../../../scripts/webHost.mjs';
import { startWebHost } from '../../../scripts/webHost.mjs';

/** What a window wants of its server. */
export interface LeaseOptions extends Pick<WebHostOptions, 'editor'> {
  /** User settings. */
  settings: Record<string, unknown>;
  /** What a server has from its start: a window with one of these gets a server of its own. */
  own: Pick<WebHostOptions, 'env' | 'trust' | 'extensionsFolder'>;
}

/** What a window leaves in the data folder. What else is there belongs to the server: its extensions, its token. */
const leftByWindows = ['data/User', 'data/Machine', 'data/logs'];

/** The server of this process, for one window after the other: to start one costs as much as many a test. */
let shared: Promise<WebHost> | undefined;
let isTaken = false;

/**
 * A VS Code server for one window; `stop` gives it back, after the window has been left. The next window finds nothing
 * of this one: no process, setting, state, or log. A window beside another one gets a server of its own.
 */
export async function leaseHost({ settings, own, editor }: LeaseOptions): Promise<WebHost> {
  const common = { gallery: false, ...(editor === undefined ? {} : { editor }) };
  const wantsOwn = Object.values(own).some((value) => value !== undefined);
  if (wantsOwn || isTaken || process.platform === 'win32') {
    return startWebHost({ ...common, trust: true, ...own, settings });
  }
  isTaken = true;
  try {
    const host = await (shared ??= startShared(common));
    await writeSettings(host.dataFolder, settings);
    const start = host.log().length;
    return { ...host, log: () => host.log().slice(start), stop: () => giveBack(host) };
  } catch (error) {
    shared = undefined;
    isTaken = false;
    throw error;
  }
}

async function startShared(options: WebHostOptions): Promise<WebHost> {
  const host = await startWebHost({ ...options, trust: true });
  void host.ended.then(() => (shared = undefined));
  return host;
}

async function giveBack(host: WebHost): Promise<void> {
  try {
    // An extension host waits three hours for a window that went without a word.
    const [, ...children] = await processTree(host.pid);
    await Promise.all(children.map((child) => endProcessTree(child)));
    for (const folder of leftByWindows.map((name) => path.join(host.dataFolder, name))) {
      for (const entry of await readdir(folder).catch(() => [])) {
        await rm(path.join(folder, entry), { recursive: true, force: true, maxRetries: 5 });
      }
    }
    if ((await processTree(host.pid)).length > 1) {
      // It has started something again for a window that it still waits for.
      await end(host);
    }
  } catch (error) {
    await end(host);
    throw error;
  } finally {
    isTaken = false;
  }
}

async function end(host: WebHost): Promise<void> {
  shared = undefined;
  await host.stop();
}
