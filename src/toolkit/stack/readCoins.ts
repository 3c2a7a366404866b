import { readInteger } from './integerText';

/**
 * Reads an amount in coins without its unit, such as `1.5`, with at most nine decimals.
 *
 * @returns nanocoins; undefined if the text is not such an amount
 */
export function readCoins(text: string): bigint | undefined {
  const amount = text.trim();
  const reading = /^\d{1,12}(?:\.\d{1,9})?$/.test(amount) ? readInteger(`${amount}ton`) : undefined;
  return reading !== undefined && 'value' in reading ? reading.value : undefined;
}
