/**
 * An amount of nanocoins in coins: grouped by thin spaces, without trailing zeros.
 * @param digits behind the point at most, cut, never rounded up; 9 is exact
 * @example formatCoins(9_998_200_000_000n) // "9 998.2"
 */
export function formatCoins(nanocoins: bigint, digits = 9): string {
  const sign = nanocoins < 0n ? '-' : '';
  const absolute = nanocoins < 0n ? -nanocoins : nanocoins;
  const whole = (absolute / 1_000_000_000n).toString().replace(/\B(?=(\d{3})+$)/g, '\u2009');
  const fraction = (absolute % 1_000_000_000n)
    .toString()
    .padStart(9, '0')
    .slice(0, digits)
    .replace(/0+$/, '');
  return sign + whole + (fraction === '' ? '' : `.${fraction}`);
}
