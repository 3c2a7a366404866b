import { groupDigits } from '../text';

/** Gas, and how it differs from the baseline: `gas 735 (+12)`; `(±0)` if it does not, and nothing without a baseline. */
export function gasWords(gas: number, baseline: number | undefined): string {
  return baseline === undefined
    ? `gas ${groupDigits(gas)}`
    : `gas ${groupDigits(gas)} (${gasChange(gas - baseline)})`;
}

/** A difference of gas: `+12`, `−1 012`, `±0`. */
export function gasChange(change: number): string {
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
  return `${sign}${groupDigits(Math.abs(change))}`;
}
