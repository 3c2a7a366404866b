import * as z from 'zod';
import { addressValue, bigNumber, finalityValue, hashValue, numberText } from './wire';
import { books, transaction } from './v3Objects';

/** An action: what the service makes of one or more transactions of a trace. */
export const action = z.looseObject({
  trace_id: z.nullish(hashValue),
  action_id: hashValue,
  start_lt: bigNumber,
  end_lt: bigNumber,
  /** Unix seconds. */
  start_utime: z.number(),
  end_utime: z.number(),
  trace_end_lt: z.nullish(bigNumber),
  trace_end_utime: z.nullish(z.number()),
  trace_mc_seqno_end: z.nullish(z.number()),
  /** Hashes of the transactions. */
  transactions: z.nullish(z.array(hashValue)),
  success: z.nullish(z.boolean()),
  /** ton_transfer, jetton_transfer, call_contract and many more: new ones appear without notice. */
  type: z.string(),
  /** By type, exactly as sent: amounts are decimal strings, addresses raw with upper-case hex. */
  details: z.optional(z.unknown()),
  trace_external_hash: z.nullish(hashValue),
  /** Left out where it equals trace_external_hash. */
  trace_external_hash_norm: z.nullish(hashValue),
  accounts: z.nullish(z.array(addressValue)),
  transactions_full: z.nullish(z.array(transaction)),
  finality: z.nullish(finalityValue),
});

const traceNodeFields = {
  tx_hash: hashValue,
  /** Left out where there is no in-message (tick-tock). */
  in_msg_hash: z.nullish(hashValue),
};

/** One transaction of the trace tree. */
export interface TraceNode {
  [key: string]: unknown;
  tx_hash: string;
  in_msg_hash?: string | null | undefined;
  /** In lt order. Null where there are out-messages but no transaction of theirs yet. */
  children?: TraceNode[] | null | undefined;
}

export const traceNode: z.ZodType<TraceNode> = z.looseObject({
  ...traceNodeFields,
  get children() {
    return z.nullish(z.array(traceNode));
  },
});

/**
 * A trace. Above the service's limit (4000 transactions by default) it has `is_incomplete`, a warning, and neither
 * `trace` nor `transactions`.
 */
export const trace = z.looseObject({
  /** Hash of the root transaction. */
  trace_id: z.nullish(hashValue),
  /** Raw (not normalised) hash of the root external message. */
  external_hash: z.nullish(hashValue),
  mc_seqno_start: z.nullish(numberText),
  mc_seqno_end: z.nullish(numberText),
  start_lt: z.nullish(bigNumber),
  /** Unix seconds. */
  start_utime: z.nullish(z.number()),
  /** Null while the trace is open. */
  end_lt: z.nullish(bigNumber),
  end_utime: z.nullish(z.number()),
  trace_info: z.nullish(
    z.looseObject({
      /** complete, pending or broken. */
      trace_state: z.string(),
      messages: z.nullish(z.number()),
      transactions: z.nullish(z.number()),
      pending_messages: z.nullish(z.number()),
      /** unclassified, failed, ok or broken. */
      classification_state: z.nullish(z.string()),
    }),
  ),
  is_incomplete: z.nullish(z.boolean()),
  warning: z.nullish(z.string()),
  actions: z.nullish(z.array(action)),
  trace: z.nullish(traceNode),
  /** By lt, then account. */
  transactions_order: z.nullish(z.array(hashValue)),
  /** By hash; the key order means nothing. */
  transactions: z.nullish(z.record(hashValue, transaction)),
});

/** `/pendingTraces` answers null, not an empty list, when nothing is pending. */
export const traceList = z.looseObject({ traces: z.nullable(z.array(trace)), ...books });

export const actionList = z.looseObject({ actions: z.nullable(z.array(action)), ...books });
