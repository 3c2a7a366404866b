import * as fs from 'node:fs';
import path from 'node:path';
import type { ProcessMark, Processes } from '../../journal/processMark';
import { systemProcesses } from '../../journal/processMark';
import { tonFolder, writeTonFile } from '../../journal/tonFolder';
import { readUserText } from '../../readUserFile';

/** The file in which scripts find the local network's URLs while it runs. */
const fileName = 'local.json';

/** Base URLs of the running local network. */
export interface LocalUrls {
  v2: string;
  v3: string;
}

/**
 * Writes `.ton/local.json` into a folder.
 * @throws as {@link writeTonFile}
 */
export function writeLocalNetworkFile(
  folder: string,
  { v2, v3 }: LocalUrls,
  processes: Processes = systemProcesses,
): void {
  const content = JSON.stringify({ v2, v3, process: processes.self() }, undefined, 2);
  writeTonFile(folder, fileName, `${content}\n`);
}

/** Removes the file again, unless another process has written it since. */
export function removeLocalNetworkFile(folder: string, processes: Processes = systemProcesses): void {
  const file = path.join(folder, tonFolder, fileName);
  const { pid, started, machine } = processes.self();
  const owner = readFile(file)?.process;
  if (owner?.pid === pid && owner.started === started && owner.machine === machine) {
    fs.rmSync(file, { force: true });
  }
}

/**
 * The local network named by the nearest `.ton/local.json`, in the folder itself or the closest one around
 * it. Ignores files of other users, files left by a process that has ended, and URLs that point away from this machine,
 * because anyone can put such a file into a folder.
 */
export function findLocalNetwork(
  folder: string,
  processes: Processes = systemProcesses,
): LocalUrls | undefined {
  return nearest(folder, (place) => runningLocalNetwork(place, processes));
}

/**
 * As {@link findLocalNetwork}, also if the process has ended without removing its file, as after a crash: what listens
 * at another address is not this folder's network.
 */
export function lastLocalNetwork(folder: string): LocalUrls | undefined {
  return nearest(folder, (place) => {
    const found = readFile(path.join(place, tonFolder, fileName));
    return found && { v2: found.v2, v3: found.v3 };
  });
}

/** What is found in the folder itself, or in the closest one around it. */
function nearest<T>(folder: string, find: (place: string) => T | undefined): T | undefined {
  for (let place = path.resolve(folder); ; place = path.dirname(place)) {
    const found = find(place);
    if (found !== undefined || place === path.dirname(place)) {
      return found;
    }
  }
}

/** The local network named by the folder's own `.ton/local.json`, unless its process has ended. */
export function runningLocalNetwork(
  folder: string,
  processes: Processes = systemProcesses,
): LocalUrls | undefined {
  const found = readFile(path.join(folder, tonFolder, fileName));
  return found === undefined || hasEnded(found.process, processes)
    ? undefined
    : { v2: found.v2, v3: found.v3 };
}

function hasEnded(mark: ProcessMark | undefined, processes: Processes): boolean {
  return mark !== undefined && mark.machine === processes.self().machine && processes.state(mark) === 'gone';
}

function readFile(file: string): (LocalUrls & { process: ProcessMark | undefined }) | undefined {
  try {
    const text = readUserText(file, 'localNetworkFile', { isOwn: true });
    const { v2, v3, process: mark } = JSON.parse(text) as Record<string, unknown>;
    return isOnThisMachine(v2) && isOnThisMachine(v3) ? { v2, v3, process: asMark(mark) } : undefined;
  } catch {
    return undefined;
  }
}

function isOnThisMachine(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) {
    return false;
  }
  const { protocol, hostname, username, password, search, hash } = new URL(value);
  return protocol === 'http:' && hostname === '127.0.0.1' && username + password + search + hash === '';
}

function asMark(value: unknown): ProcessMark | undefined {
  const { pid, started, machine } = (value ?? {}) as Record<string, unknown>;
  return Number.isSafeInteger(pid) && typeof started === 'string' && typeof machine === 'string'
    ? { pid: pid as number, started, machine }
    : undefined;
}
