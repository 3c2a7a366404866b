import * as fs from 'node:fs';
import path from 'node:path';
import type { ProcessMark, Processes } from '../../base/journal/processMark';
import { systemProcesses } from '../../base/journal/processMark';
import { tonFolder, writeTonFile } from '../../base/journal/tonFolder';
import { readUserText } from '../../base/readUserFile';

/** The file in which scripts find the local network's URLs while it runs. */
const fileName = 'local.json';

/** Base URLs of the running local network. */
export interface LocalUrls {
  v2: string;
  v3: string;
}

/** A network that the file names, and its process. */
interface NamedNetwork extends LocalUrls {
  process: ProcessMark | undefined;
}

/**
 * Names a network in the folder's `.ton/local.json`: the first one counts, and the others take its place in turn when it
 * stops.
 * @param place before the networks that are named there already, or after them
 * @throws as {@link writeTonFile}
 */
export function writeLocalNetworkFile(
  folder: string,
  { v2, v3 }: LocalUrls,
  processes: Processes = systemProcesses,
  place: 'first' | 'last' = 'first',
): void {
  const own = { v2, v3, process: processes.self() };
  const others = othersIn(folder, processes);
  writeNetworks(folder, place === 'first' ? [own, ...others] : [...others, own]);
}

/** Takes this process's network out of the file; without another running one, the file is removed. */
export function removeLocalNetworkFile(folder: string, processes: Processes = systemProcesses): void {
  const file = path.join(folder, tonFolder, fileName);
  const named = readNetworks(file);
  if (!named.some(({ process: mark }) => isOwn(mark, processes))) {
    return;
  }
  const others = othersIn(folder, processes);
  if (others.length === 0) {
    fs.rmSync(file, { force: true });
  } else {
    writeNetworks(folder, others);
  }
}

function writeNetworks(folder: string, [first, ...others]: readonly NamedNetwork[]): void {
  const content = { ...first, ...(others.length === 0 ? {} : { others }) };
  writeTonFile(folder, fileName, `${JSON.stringify(content, undefined, 2)}\n`);
}

/** The running networks of other processes. */
function othersIn(folder: string, processes: Processes): NamedNetwork[] {
  return readNetworks(path.join(folder, tonFolder, fileName)).filter(
    ({ process: mark }) => mark !== undefined && !isOwn(mark, processes) && !hasEnded(mark, processes),
  );
}

function isOwn(mark: ProcessMark | undefined, processes: Processes): boolean {
  const { pid, started, machine } = processes.self();
  return mark?.pid === pid && mark.started === started && mark.machine === machine;
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
    const [found] = readNetworks(path.join(place, tonFolder, fileName));
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

/** The first local network in the folder's own `.ton/local.json` whose process has not ended. */
export function runningLocalNetwork(
  folder: string,
  processes: Processes = systemProcesses,
): LocalUrls | undefined {
  const found = readNetworks(path.join(folder, tonFolder, fileName)).find(
    ({ process: mark }) => !hasEnded(mark, processes),
  );
  return found && { v2: found.v2, v3: found.v3 };
}

function hasEnded(mark: ProcessMark | undefined, processes: Processes): boolean {
  return mark !== undefined && mark.machine === processes.self().machine && processes.state(mark) === 'gone';
}

/** What the file names, the first one first; nothing if it is not ours. */
function readNetworks(file: string): NamedNetwork[] {
  try {
    const first = JSON.parse(readUserText(file, 'localNetworkFile', { isOwn: true })) as { others?: unknown };
    const others: unknown[] = Array.isArray(first.others) ? first.others : [];
    return [first, ...others].flatMap(asNetwork);
  } catch {
    return [];
  }
}

function asNetwork(value: unknown): NamedNetwork[] {
  const { v2, v3, process: mark } = (value ?? {}) as Record<string, unknown>;
  return isOnThisMachine(v2) && isOnThisMachine(v3) ? [{ v2, v3, process: asMark(mark) }] : [];
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
