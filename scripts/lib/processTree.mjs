import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @returns {Promise<[pid: number, parent: number][]>} every process of this machine with its parent */
const processes = async () => {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,state=']);
    return stdout
      .trim()
      .split('\n')
      .filter((line) => !/Z/.test(line))
      .map((line) => {
        const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
        return [pid, parent];
      });
  }
  // Without `ps`: small systems do not have it.
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // "pid (name) state ppid …"; the name may contain spaces and brackets. A zombie counts as gone.
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return /** @type {[number, number]} */ ([Number(pid), state === 'Z' ? -1 : Number(parent)]);
    }),
  );
  return found.filter(([, parent]) => parent > 0);
};

/**
 * @param {number} pid
 * @returns {Promise<number[]>} the process itself and everything it started, oldest first
 */
export const processTree = async (pid) => {
  const all = await processes();
  const tree = [pid];
  for (const member of tree) {
    tree.push(...all.filter(([, parent]) => parent === member).map(([child]) => child));
  }
  return tree;
};

/**
 * @param {number} pid
 * @returns {Promise<number | undefined>}
 */
export const parentOf = async (pid) => (await processes()).find(([one]) => one === pid)?.[1];

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
const send = (pid, signal) => {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone.
  }
};

/**
 * @param {number} pid
 * @returns {Promise<boolean>} whether it is running; a zombie is not
 */
export const isRunning = async (pid) => {
  if (process.platform === 'win32') {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }
  return (await alive([pid])).length > 0;
};

/** @param {number[]} pids */
const alive = async (pids) => {
  const present = new Set((await processes()).map(([pid]) => pid));
  return pids.filter((pid) => present.has(pid));
};

/**
 * Ends a process that we started and all its descendants; resolves once they are gone.
 * @param {number} pid
 * @param {{ graceMs?: number }} [options] time allowed before they are killed
 */
export const endProcessTree = async (pid, { graceMs = 3000 } = {}) => {
  if (process.platform === 'win32') {
    await run('taskkill', ['/pid', String(pid), '/T', '/F']).catch(() => undefined);
    return;
  }
  const tree = await processTree(pid);
  tree.forEach((member) => send(member, 'SIGTERM'));
  const end = Date.now() + graceMs;
  let left = await alive(tree);
  while (left.length > 0 && Date.now() < end + 2000) {
    if (Date.now() >= end) {
      left.forEach((member) => send(member, 'SIGKILL'));
    }
    await sleep(30);
    left = await alive(left);
  }
};

/**
 * Reads /proc; other systems do not tell it like that.
 * @param {number} pid
 * @returns {Promise<number | undefined>} processor time of a process, of everything it started that still runs, and of
 *   what these have waited for; undefined where it is not known
 */
export const cpuSeconds = async (pid) => {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const times = await Promise.all(
    (await processTree(pid)).map(async (member) => {
      const stat = await readFile(`/proc/${member}/stat`, 'utf8').catch(() => '');
      // Fields 14 to 17 of proc(5): own and children's time in user and kernel mode, in ticks of 10 ms.
      const ticks = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 15);
      return ticks.reduce((sum, one) => sum + Number(one), 0) / 100;
    }),
  );
  return times.reduce((total, one) => total + one, 0);
};
