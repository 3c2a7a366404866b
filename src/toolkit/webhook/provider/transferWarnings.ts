import { canonicalAddress } from '../../address/canonicalAddress';
import { isNativeAsset } from '../values/asset';
import { canonicalHash } from '../../address/canonicalHash';
import type { TransferData } from '../payload/payload';

/**
 * Oddities of a transfer that matches the schema: warnings, never rejections, since a rejected payment would be
 * missed.
 *
 * @param coin additional name of the native coin
 */
export function transferWarnings(data: TransferData, coin?: string): string[] {
  const warnings: string[] = [];
  for (const field of ['senderAddr', 'recipientAddr'] as const) {
    if (canonicalAddress(data[field]) === undefined) {
      warnings.push(`data.${field} is not an address in a known format.`);
    }
  }
  if (!isNativeAsset(data.asset, coin) && canonicalAddress(data.asset) === undefined) {
    warnings.push("data.asset is neither a known ticker of the native coin nor a jetton master's address.");
  }
  if (!isBase64Hash(data.bodyBase64Hash)) {
    warnings.push('data.bodyBase64Hash is not a hash in base64.');
  }
  for (const field of ['txHash', 'traceId'] as const) {
    if (canonicalHash(data[field]) === undefined) {
      warnings.push(`data.${field} is not a hash in a known format.`);
    }
  }
  return data.status === 'success' || data.status === 'failed'
    ? [...warnings, ...aboutError(data)]
    : warnings;
}

/** Only a failed transfer may have an error. */
function aboutError(data: TransferData): string[] {
  const hasFailed = data.status === 'failed';
  return (['errorCode', 'errorMessage'] as const)
    .filter((field) => (data[field] === undefined) === hasFailed)
    .map((field) =>
      hasFailed
        ? `data.${field} is missing, although the transfer failed.`
        : `data.${field} is set, although the transfer succeeded.`,
    );
}

function isBase64Hash(text: string): boolean {
  return text.length <= 44 && canonicalHash(text) !== undefined;
}
