import { groupDigits } from '../base/text';
import { withoutTrailing } from '../base/errors';

/** Nanocoins as coins: grouped, exact, without trailing zeros. */
export function coinsText(nanocoins: bigint): string {
  const magnitude = nanocoins < 0n ? -nanocoins : nanocoins;
  const fraction = withoutTrailing((magnitude % 1_000_000_000n).toString().padStart(9, '0'), '0');
  const whole = groupDigits(magnitude / 1_000_000_000n);
  return `${nanocoins < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** From a tenth of a coin to the largest plausible supply; other numbers are rarely amounts. */
const smallestAmount = 10_000_000n;
const largestAmount = 10n ** 20n;
/** Larger numbers are keys, hashes, or ids, which people know in hex. */
const hexFrom = 1n << 96n;

/** A number for people: grouped digits, very large ones (keys, hashes, ids) in hex. */
export function plainNumberText(value: bigint): string {
  const magnitude = value < 0n ? -value : value;
  return magnitude < hexFrom ? groupDigits(value) : `${value < 0n ? '-' : ''}0x${magnitude.toString(16)}`;
}

/**
 * A number's possible other meaning, for the margin; undefined for plain ones.
 * @param coinLabel undefined for a number that cannot be an amount of the coin
 */
export function numberNote(value: bigint, coinLabel: string | undefined): string | undefined {
  if (value === -1n) {
    return 'true';
  }
  return coinLabel !== undefined && value >= smallestAmount && value < largestAmount
    ? `as coins ${coinsText(value)} ${coinLabel}`
    : undefined;
}
