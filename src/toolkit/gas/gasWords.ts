import { groupDigits } from '../text';

/** Gas, and how it differs from the baseline: `gas 735 (+12)`; `(±0)` if it does not, and nothing without a baseline. */
export function gasWords(gas: number, baseline: number | undefined): string {
  if (baseline === undefined) {
    return `gas ${groupDigits(gas)}`;
  }
  const change = gas - baseline;
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
  return `gas ${groupDigits(gas)} (${sign}${groupDigits(Math.abs(change))})`;
}
