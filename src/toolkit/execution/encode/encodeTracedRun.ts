import type { Exact, V3Transaction } from '../../api/v3Objects';
import type { V3Trace, V3TraceNode } from '../../api/v3Traces';
import type { TracedRun, TracedTransaction } from './encodeTracedTransaction';

/** The indexed API's trace fields that precede the transactions; the run is in no block. */
export function encodeRunHead(run: TracedRun, order: readonly TracedTransaction[]): Exact<V3Trace> {
  const root = order[0] as TracedTransaction;
  const last = order[order.length - 1] as TracedTransaction;
  return {
    trace_id: root.hash,
    external_hash: root.inMessage?.hash ?? null,
    mc_seqno_start: null,
    mc_seqno_end: null,
    start_lt: root.lt,
    start_utime: root.now,
    end_lt: last.lt,
    end_utime: last.now,
    trace_info: {
      trace_state: run.pendingMessages === 0 ? 'complete' : 'pending',
      messages: run.messages,
      transactions: order.length,
      pending_messages: run.pendingMessages,
      classification_state: 'unclassified',
    },
  };
}

/** A trace's tree and its transactions (`encoded`, in the same order). */
export function encodeRunBody(
  order: readonly TracedTransaction[],
  encoded: readonly Exact<V3Transaction>[],
): Exact<V3Trace> {
  return {
    is_incomplete: false,
    trace: encodeTree(order),
    transactions_order: order.map((transaction) => transaction.hash),
    transactions: Object.fromEntries(
      encoded.map((transaction, place) => [order[place]?.hash ?? '', transaction]),
    ),
  };
}

/** By lt, then account; the root comes first. */
export function orderedTransactions<T extends TracedTransaction>({
  transactions,
}: {
  readonly transactions: readonly T[];
}): T[] {
  return [...transactions].sort((a, b) =>
    a.lt !== b.lt ? (a.lt < b.lt ? -1 : 1) : a.account.address < b.account.address ? -1 : 1,
  );
}

/** `children` is null for a transaction with sent but not (yet) received messages, as in the service. */
function encodeTree(order: readonly TracedTransaction[]): Exact<V3TraceNode> {
  const nodes = new Map<TracedTransaction, Exact<V3TraceNode>>();
  for (const transaction of order) {
    const node: Exact<V3TraceNode> = {
      tx_hash: transaction.hash,
      ...(transaction.inMessage === null ? {} : { in_msg_hash: transaction.inMessage.hash }),
      children: transaction.outMessages.length === 0 ? [] : null,
    };
    nodes.set(transaction, node);
    const parent = transaction.inMessage?.producer;
    const above = parent == null ? undefined : nodes.get(parent);
    if (above !== undefined) {
      (above.children ??= []).push(node);
    }
  }
  return nodes.get(order[0] as TracedTransaction) as Exact<V3TraceNode>;
}
