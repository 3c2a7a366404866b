import { canonicalAddress, sameAddress } from '../../address/canonicalAddress';

/** The service's name of the native coin, unchanged after the coin was renamed. */
export const nativeAsset = 'TON';

/** Both names of the native coin. */
const nativeTickers: readonly string[] = [nativeAsset, 'GRAM'];

/** The jetton master of USDT on the main network, as in the service's own client. */
export const usdtMaster = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';

/**
 * Whether a text is a ticker of the native coin. Unknown names count only if configured by the user: they may be a
 * token's.
 *
 * @param coin the configured name of the coin, for a service or network that uses another
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

/** Decimals of well-known assets; undefined for others. */
export function knownDecimals(asset: string, coin?: string): number | undefined {
  if (isNativeAsset(asset, coin)) {
    return 9;
  }
  return canonicalAddress(asset) === canonicalAddress(usdtMaster) ? 6 : undefined;
}

/**
 * Whether two texts mean the same asset: the native coin by any of its names, or one jetton master in any address
 * form.
 */
export function sameAsset(left: string, right: string, coin?: string): boolean {
  return sameAddress(left, right) || (isNativeAsset(left, coin) && isNativeAsset(right, coin));
}

/** A short name: the ticker if there is one. */
export function assetName(asset: string, ticker: string | null | undefined): string {
  if (ticker != null && ticker !== '') {
    return ticker;
  }
  if (canonicalAddress(asset) === undefined) {
    return asset;
  }
  return knownDecimals(asset) === 6 ? 'USDT' : 'jetton';
}
