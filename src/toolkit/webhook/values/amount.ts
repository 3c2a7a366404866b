import { withoutTrailing } from '../../base/errors';

/** An integer string of base units: 256 bits have 78 digits. */
export const integerPattern = /^\d{1,78}$/;

/** A decimal string such as `10.5`. */
export const decimalPattern = /^\d{1,78}(?:\.\d{1,78})?$/;

/**
 * The amount in base units, exactly; undefined if it has more decimals than the asset.
 *
 * @param amount a decimal string
 * @param decimals of the asset: 9 for TON, 6 for USDT
 */
export function toBaseUnits(amount: string, decimals: number): bigint | undefined {
  const { digits, scale } = readDecimal(amount);
  return scale > decimals ? undefined : digits * 10n ** BigInt(decimals - scale);
}

/** Base units as a decimal string, without trailing zeros. */
export function fromBaseUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const fraction = withoutTrailing(digits.slice(digits.length - decimals), '0');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * The number of decimals between an amount and its base units: 9 for `10.5` and `10500000000`. Undefined if they
 * differ by anything but a power of ten; null if both are zero, which proves nothing.
 */
export function decimalsBetween(amount: string, rawAmount: string): number | null | undefined {
  const { digits, scale } = readDecimal(amount);
  const raw = BigInt(rawAmount);
  if (digits === 0n || raw === 0n) {
    return digits === raw ? null : undefined;
  }
  let decimals = scale;
  let units = digits;
  while (units < raw) {
    units *= 10n;
    decimals += 1;
  }
  return units === raw ? decimals : undefined;
}

/** `digits` divided by ten to the power of `scale`, trailing zeros of the fraction dropped. */
function readDecimal(text: string): { digits: bigint; scale: number } {
  const [whole = '', fraction = ''] = text.split('.');
  const significant = withoutTrailing(fraction, '0');
  return { digits: BigInt(whole + significant), scale: significant.length };
}
