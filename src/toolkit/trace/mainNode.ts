import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';

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
