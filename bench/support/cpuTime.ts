import { median } from './median';

/** Median milliseconds of CPU of several runs: other work on the machine does not count, collecting garbage does. */
export function cpuTime(runs: number, work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const began = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  });
  return median(times);
}
