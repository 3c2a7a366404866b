/** Characters of a label for coins. */
export const coinLabelLength = 16;

/** What an amount is called, next to it even in the confirmation of a transfer: a short word on one line, no sentence. */
export function isCoinLabel(text: unknown): text is string {
  return typeof text === 'string' && text.length <= coinLabelLength && /^[\p{L}\p{N}$._-]+$/u.test(text);
}
