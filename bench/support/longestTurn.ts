import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** The longest turn of the event loop during some work, in milliseconds. */
export interface LongestTurn {
  /** In wall time, including time taken by other processes. */
  wall: number;
  /** In CPU time of this thread, or of this process if the system does not report the thread's. */
  cpu: number;
}

/**
 * Watches the event loop until the returned function is called. What its caller does afterward in the same
 * turn does not count.
 */
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

/** Milliseconds. Linux reports a thread's own in nanoseconds, as the first number in this file. */
function cpuTime(): number {
  if (process.platform === 'linux' && isMainThread) {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
