import { formatUnits } from '../base/text';

/** Nanocoins as coins for a narrow row: truncated after four digits, never rounded up; `<0.0001` for less. */
export function shortCoins(nanocoins: bigint): string {
  return nanocoins > 0n && nanocoins < 100_000n ? '<0.0001' : formatUnits(nanocoins / 100_000n, 4);
}
