import type { Exact } from '../../api/openObject';
import type { V3Trace } from '../../api/v3Traces';
import { encodeRunBody, encodeRunHead, orderedTransactions } from '../../execution/encode/encodeTracedRun';
import { mapInTurns } from '../../turns';
import type { TransactionRecord, TraceRecord } from '../records/records';
import type { EncodeContext } from './encodeContext';
import { encodeV3Transaction } from './encodeV3Transaction';

/** A trace in the indexed API's format, with its transactions; yields to other work while encoding. */
export async function encodeTrace(context: EncodeContext, trace: TraceRecord): Promise<Exact<V3Trace>> {
  const order = orderedTransactions(trace);
  if (order.length > context.maximumTraceTransactions) {
    return { ...encodeHead(trace, order), is_incomplete: true, warning: 'trace is too large' };
  }
  const encoded = await mapInTurns(order, (transaction) => encodeV3Transaction(context, transaction));
  return { ...encodeHead(trace, order), ...failures(context, trace), ...encodeRunBody(order, encoded) };
}

function encodeHead(trace: TraceRecord, order: readonly TransactionRecord[]): Exact<V3Trace> {
  return {
    ...encodeRunHead(trace, order),
    mc_seqno_start: order[0]?.block.seqno ?? null,
    mc_seqno_end: order.at(-1)?.block.seqno ?? null,
  };
}

/**
 * What a trace is stuck on: messages that the emulator failed to execute. The service has no such field or state;
 * nothing is added without failures.
 */
function failures(
  { ledger }: EncodeContext,
  trace: TraceRecord,
): Pick<Exact<V3Trace>, 'warning' | 'failed_messages'> {
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
