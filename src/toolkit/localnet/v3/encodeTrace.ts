import { mapInTurns } from '../../turns';
import type { TransactionRecord, TraceRecord } from '../records/records';
import type { EncodeContext } from './encodeContext';
import type { Json } from '../api/json';
import { encodeTransaction } from './encodeTransaction';

/** A trace in the indexed API's form, its transactions included; encoded in turns. */
export async function encodeTrace(context: EncodeContext, trace: TraceRecord): Promise<Json> {
  const order = orderedTransactions(trace);
  if (order.length > context.maximumTraceTransactions) {
    return { ...encodeHead(trace, order), is_incomplete: true, warning: 'trace is too large' };
  }
  const encoded = await mapInTurns(order, (transaction) => encodeTransaction(context, transaction));
  return { ...encodeHead(trace, order), ...failures(context, trace), ...encodeBody(order, encoded) };
}

/** The same at once and of any size, for a trace that belongs to no network. */
export function encodeTraceAtOnce(context: EncodeContext, trace: TraceRecord): Json {
  const order = orderedTransactions(trace);
  const encoded = order.map((transaction) => encodeTransaction(context, transaction));
  return { ...encodeHead(trace, order), ...encodeBody(order, encoded) };
}

function encodeHead(trace: TraceRecord, order: readonly TransactionRecord[]): Json {
  const root = order[0] as TransactionRecord;
  const last = order[order.length - 1] as TransactionRecord;
  return {
    trace_id: root.hash,
    external_hash: root.inMessage?.hash ?? null,
    mc_seqno_start: root.block.seqno.toString(),
    mc_seqno_end: last.block.seqno.toString(),
    start_lt: root.lt.toString(),
    start_utime: root.now,
    end_lt: last.lt.toString(),
    end_utime: last.now,
    trace_info: {
      trace_state: trace.pendingMessages === 0 ? 'complete' : 'pending',
      messages: trace.messages,
      transactions: order.length,
      pending_messages: trace.pendingMessages,
      classification_state: 'unclassified',
    },
  };
}

function encodeBody(order: readonly TransactionRecord[], encoded: readonly Json[]): Json {
  return {
    is_incomplete: false,
    trace: encodeTree(order),
    transactions_order: order.map((transaction) => transaction.hash),
    transactions: Object.fromEntries(order.map(({ hash }, place) => [hash, encoded[place]])),
  };
}

/**
 * What a trace waits for that does not come by itself: messages on which the emulator failed. The service has no such field
 * and no such state; without failures nothing is added.
 */
function failures({ ledger }: EncodeContext, trace: TraceRecord): Json {
  if (ledger.failed.size === 0 || trace.pendingMessages === 0) {
    return {};
  }
  const failed = trace.transactions
    .flatMap(({ outMessages }) => outMessages)
    .flatMap(({ consumer, hash }) => (consumer === null ? (ledger.failed.get(hash) ?? []) : []))
    .map(({ hash, destination, error }) => ({ msg_hash: hash, destination, error }));
  const [first] = failed;
  return first === undefined
    ? {}
    : {
        warning: `the emulator failed on ${failed.length === 1 ? 'a message' : `${failed.length} messages`}: ${first.error}`,
        failed_messages: failed,
      };
}

/** By lt, then account; the root comes first. */
export function orderedTransactions(trace: TraceRecord): TransactionRecord[] {
  return [...trace.transactions].sort((a, b) =>
    a.lt !== b.lt ? (a.lt < b.lt ? -1 : 1) : a.account.address < b.account.address ? -1 : 1,
  );
}

interface TreeNode {
  tx_hash: string;
  in_msg_hash?: string;
  children: TreeNode[] | null;
}

/** `children` is null for a transaction that sent something nobody has received (yet), as the service does it. */
function encodeTree(order: readonly TransactionRecord[]): TreeNode {
  const nodes = new Map<TransactionRecord, TreeNode>();
  for (const transaction of order) {
    const node: TreeNode = {
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
  return nodes.get(order[0] as TransactionRecord) as TreeNode;
}
