import { formatUnits } from './figures';

/** Nanocoins as coins for a row that has little room: cut, never rounded up, after four digits. */
export function shortCoins(nanocoins: bigint): string {
  return formatUnits(nanocoins / 100_000n, 4);
}
