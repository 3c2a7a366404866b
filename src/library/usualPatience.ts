/** Milliseconds that a test waits, at most, unless it says how long. */
const longest = 10_000;

/**
 * How long a test waits for a request unless it says so: clearly less than what is left of its own timeout, whose message
 * would say nothing of the wallet.
 *
 * @param timeout milliseconds of the test; 0 if it has no end, as with `--debug`
 * @param passed milliseconds since its wallet was opened
 * @returns milliseconds
 */
export function usualPatience(timeout: number, passed: number): number {
  return timeout === 0 ? longest : Math.max(1, Math.min(longest, Math.floor((timeout - passed) / 2)));
}
