import { randomBytes } from 'node:crypto';

/**
 * A new webhook secret, of 24 random bytes. Its digits are base64 in every alphabet, so that Standard Webhooks' libraries
 * take it too, and it can stand in URLs and shells as it is.
 */
export function randomSecret(): string {
  return `whsec_${randomBytes(24).toString('hex')}`;
}
