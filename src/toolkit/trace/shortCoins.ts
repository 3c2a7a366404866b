import { formatUnits } from './figures';

/** Nanocoins as coins for a narrow row: truncated after four digits, never rounded up. */
export function shortCoins(nanocoins: bigint): string {
  return formatUnits(nanocoins / 100_000n, 4);
}
