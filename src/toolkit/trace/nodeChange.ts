import type { TraceNode } from './traceModel';
import type { TraceContext } from './traceContext';

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

/** The transaction that the trace is about: the one a wallet was ordered to cause, or else the first one. */
export function mainNode(context: TraceContext): TraceNode | undefined {
  const [root] = context.model.roots;
  const [first] = root?.children ?? [];
  const isOrder =
    root?.message != null &&
    root.message.source == null &&
    root.account !== undefined &&
    context.isWallet(root.account);
  return isOrder && first !== undefined ? first : root;
}
