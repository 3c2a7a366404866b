import type { TraceAction } from './traceAction';
import type { TraceContext } from './traceContext';

/** Many plain transfers of one account, as one fact. */
export interface TransferSum {
  count: number;
  /** Nanocoins. */
  total: bigint;
  /** Raw, lowercase hex. */
  from: string;
  /** Raw, lowercase hex. */
  to: ReadonlySet<string>;
}

/** Fewer are told one by one. */
const fewest = 3;

/**
 * A trace that begins with many payments of one account, to one or to several: all plain transfers by the sender of the first one that ended
 * as it did. Undefined if it begins with something else, or if an amount is unknown.
 */
export function sumTransfers(
  actions: readonly TraceAction[],
  { model }: TraceContext,
): TransferSum | undefined {
  const messageOf = ({ type, nodes }: TraceAction) =>
    type === 'ton_transfer' && nodes.length === 1 ? model.nodes[nodes[0] ?? -1]?.message : undefined;
  const [first] = actions;
  const from = first === undefined ? undefined : messageOf(first)?.source;
  if (first === undefined || from == null) {
    return undefined;
  }
  let [count, total] = [0, 0n];
  const to = new Set<string>();
  for (const action of actions) {
    const message = messageOf(action);
    if (message?.source === from && action.symbol === first.symbol) {
      if (message.value == null || message.destination == null) {
        return undefined;
      }
      count += 1;
      total += message.value;
      to.add(message.destination);
    }
  }
  return count < fewest ? undefined : { count, total, from, to };
}
