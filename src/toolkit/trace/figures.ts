import { formatUnits, groupDigits, isoTime } from '../text';

/** An integer with grouped digits: `1 204 331`. */
export function formatInteger(value: bigint | number | string): string {
  return groupDigits(value);
}

/** Nanocoins as coins, without a label. */
export function formatCoins(nanocoins: bigint): string {
  return formatUnits(nanocoins, 9);
}

/** {@link formatUnits} with the sign always shown, except for zero. */
export function formatChange(amount: bigint, decimals: number): string {
  return amount > 0n ? `+${formatUnits(amount, decimals)}` : formatUnits(amount, decimals);
}

/** Seconds since the epoch as `2025-08-02 18:09:43 UTC`. */
export function formatTime(seconds: number): string {
  return isoTime(seconds).replace('T', ' ').replace('.000Z', ' UTC');
}

/** `1 transaction`, `5 transactions`. */
export function counted(count: number, noun: string): string {
  return `${formatInteger(count)} ${count === 1 ? noun : `${noun}s`}`;
}
