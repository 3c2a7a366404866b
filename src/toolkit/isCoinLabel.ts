/** Maximum characters of a coin label. */
export const coinLabelLength = 16;

/** A coin's label, shown next to amounts even when confirming a transfer: a short word on one line, no sentence. */
export function isCoinLabel(text: unknown): text is string {
  return typeof text === 'string' && text.length <= coinLabelLength && /^[\p{L}\p{N}$._-]+$/u.test(text);
}
