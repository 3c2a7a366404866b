import { readFileSync } from 'node:fs';

/** What this thread has computed, in ms, as Linux counts it for each thread; elsewhere what the process has. */
function computedMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/**
 * The longest times in which this thread did not come to its timers because it computed. Time in which a busy machine
 * gave the CPU to others is no stall of ours and does not count.
 */
export class StallMonitor {
  readonly #timer = setInterval(() => this.#look(), 5);
  #longest = 0;
  #at = performance.now();
  #computed = computedMs();

  #look(): void {
    const at = performance.now();
    const computed = computedMs();
    this.#longest = Math.max(this.#longest, Math.min(at - this.#at, computed - this.#computed));
    this.#at = at;
    this.#computed = computed;
  }

  /** The longest stall since the last call, in ms. */
  take(): number {
    this.#look();
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
