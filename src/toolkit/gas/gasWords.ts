import { groupDigits } from '../base/text';

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

/** A part of gas with its share: `1 083 gas (25%)`. */
export function gasShare(gas: number, total: number): string {
  return `${groupDigits(gas)} gas (${sharePercent(gas, total)})`;
}

/** `25%`; a part too small for that is `<1%`. */
export function sharePercent(gas: number, total: number): string {
  const percent = (100 * gas) / Math.max(1, total);
  return percent > 0 && percent < 1 ? '<1%' : `${Math.round(percent)}%`;
}
