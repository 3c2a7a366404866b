import { canonicalAddress, sameAddress } from './addressText';

/** How the service writes the native coin. The word stayed when the coin was renamed. */
export const nativeAsset = 'TON';

/** The jetton master of USDT on the main network, as the service's own client names it. */
export const usdtMaster = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';

/** Decimals of the assets everybody knows; undefined for others. */
export function knownDecimals(asset: string): number | undefined {
  if (asset === nativeAsset) {
    return 9;
  }
  return canonicalAddress(asset) === canonicalAddress(usdtMaster) ? 6 : undefined;
}

/** Whether two texts name one asset: `TON`, or one jetton master in any spelling of its address. */
export function sameAsset(left: string, right: string): boolean {
  return sameAddress(left, right);
}

/** A short name: the ticker where there is one. */
export function assetName(asset: string, ticker: string | null | undefined): string {
  if (ticker != null && ticker !== '') {
    return ticker;
  }
  if (asset === nativeAsset) {
    return nativeAsset;
  }
  return knownDecimals(asset) === 6 ? 'USDT' : 'jetton';
}
