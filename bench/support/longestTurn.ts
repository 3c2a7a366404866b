import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** The longest turn of the event loop while something went on, in milliseconds. */
export interface LongestTurn {
  /** By the clock: what other processes took is in it. */
  wall: number;
  /** By the CPU time of this thread; where that cannot be told, of this process. */
  cpu: number;
}

/** Watches the event loop; call what is returned to end that. What its caller does next in the same turn does not count. */
export function watchTurns(): () => LongestTurn {
  const longest: LongestTurn = { wall: 0, cpu: 0 };
  let isWatching = true;
  let began = performance.now();
  let used = cpuTime();
  const note = (): void => {
    longest.wall = Math.max(longest.wall, performance.now() - began);
    longest.cpu = Math.max(longest.cpu, cpuTime() - used);
  };
  const next = (): void => {
    if (!isWatching) {
      return;
    }
    note();
    began = performance.now();
    used = cpuTime();
    setImmediate(next);
  };
  setImmediate(next);
  return () => {
    note();
    isWatching = false;
    return longest;
  };
}

/** Milliseconds. Linux tells a thread's own in nanoseconds, first in this file. */
function cpuTime(): number {
  if (process.platform === 'linux' && isMainThread) {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
