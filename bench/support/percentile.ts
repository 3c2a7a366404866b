/** The value that a share (such as 0.99) of the numbers does not exceed. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) {
    throw new RangeError('There is no percentile of nothing.');
  }
  return value;
}
