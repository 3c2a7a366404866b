/** What differs between a transaction and its partner in another trace, as words. */
export interface NodeChange {
  /** `result`, `gas`, or the path of a field: `amount`, `forward_payload.comment`, `limit afterward`. */
  what: string;
  /** In the left trace: `5 TON`, `none`. */
  from: string;
  /** In the right one. */
  to: string;
}

/** `gas 1 512 → 1 600`. */
export function nodeChangeText({ what, from, to }: NodeChange): string {
  return `${what} ${from} → ${to}`;
}
