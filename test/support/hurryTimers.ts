/**
 * For a library that takes no clock: its pauses of one or two seconds, as before it connects again, take a hundredth of
 * that. What is longer is a time limit, and stays as it is.
 * @returns ends it
 */
export function hurryTimers(): () => void {
  const real = globalThis.setTimeout;
  const hurried = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout =>
    real(work, ms >= 1_000 && ms <= 2_000 ? ms / 100 : ms, ...args);
  globalThis.setTimeout = Object.assign(hurried, real);
  return () => {
    globalThis.setTimeout = real;
  };
}
