import { canonicalAddress, sameAddress } from '../../address/canonicalAddress';

/** How the service writes the native coin. The word stayed when the coin was renamed. */
export const nativeAsset = 'TON';

/** Both names of the native coin. */
const nativeTickers: readonly string[] = [nativeAsset, 'GRAM'];

/** The jetton master of USDT on the main network, as the service's own client names it. */
export const usdtMaster = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';

/**
 * Whether a text is a ticker of the native coin. Others than the known ones count only when the user says so: an
 * unknown word may as well be a token's.
 *
 * @param coin the coin's name as the user has set it, for a service or a network that calls it something else
 */
export function isNativeAsset(asset: string, coin?: string): boolean {
  if (asset === nativeAsset) {
    return true;
  }
  const ticker = asset.toUpperCase();
  return (
    nativeTickers.includes(ticker) || (coin !== undefined && coin !== '' && ticker === coin.toUpperCase())
  );
}

/** Decimals of the assets everybody knows; undefined for others. */
export function knownDecimals(asset: string, coin?: string): number | undefined {
  if (isNativeAsset(asset, coin)) {
    return 9;
  }
  return canonicalAddress(asset) === canonicalAddress(usdtMaster) ? 6 : undefined;
}

/** Whether two texts name one asset: the native coin by any of its names, or one jetton master in any spelling. */
export function sameAsset(left: string, right: string, coin?: string): boolean {
  return sameAddress(left, right) || (isNativeAsset(left, coin) && isNativeAsset(right, coin));
}

/** A short name: the ticker where there is one. */
export function assetName(asset: string, ticker: string | null | undefined): string {
  if (ticker != null && ticker !== '') {
    return ticker;
  }
  if (canonicalAddress(asset) === undefined) {
    return asset;
  }
  return knownDecimals(asset) === 6 ? 'USDT' : 'jetton';
}
