import * as z from 'zod';
import type { V3Message, V3MessageWire, V3Transaction, V3TransactionWire, WireOf } from './v3Objects';
import { openObject, v3AccountState, v3Books, v3Message, v3Transaction } from './v3Objects';
import { addressValue, bigNumber, finalityValue, hashValue, numberText } from './wire';

/** An action: the service's interpretation of one or more transactions of a trace. */
export const v3Action = openObject({
  trace_id: hashValue,
  action_id: hashValue,
  start_lt: bigNumber,
  end_lt: bigNumber,
  /** Unix seconds. */
  start_utime: z.number(),
  end_utime: z.number(),
  trace_end_lt: bigNumber,
  trace_end_utime: z.number(),
  trace_mc_seqno_end: z.number(),
  /** Hashes of the transactions. */
  transactions: z.array(hashValue),
  success: z.boolean(),
  /** ton_transfer, jetton_transfer, call_contract, and many more: new ones appear without notice. */
  type: z.string(),
  /** By type, exactly as sent: amounts are decimal strings, addresses raw with uppercase hex. */
  details: z.unknown(),
  trace_external_hash: hashValue,
  /** Omitted if equal to trace_external_hash. */
  trace_external_hash_norm: hashValue,
  accounts: z.array(addressValue),
  transactions_full: z.array(v3Transaction),
  finality: finalityValue,
});

/** One transaction in a trace's tree. */
export interface V3TraceNode {
  [field: string]: unknown;
  tx_hash?: string | null | undefined;
  /** Omitted if there is no in-message (tick-tock). */
  in_msg_hash?: string | null | undefined;
  transaction?: V3Transaction | null | undefined;
  in_msg?: V3Message | null | undefined;
  /** In lt order. Null if there are out-messages but none of their transactions yet. */
  children?: V3TraceNode[] | null | undefined;
}

/** {@link V3TraceNode} as JSON. */
export interface V3TraceNodeWire {
  tx_hash?: string | null | undefined;
  in_msg_hash?: string | null | undefined;
  transaction?: V3TransactionWire | null | undefined;
  in_msg?: V3MessageWire | null | undefined;
  children?: V3TraceNodeWire[] | null | undefined;
}

export const v3TraceNode: z.ZodType<V3TraceNode, V3TraceNodeWire> = z.looseObject({
  tx_hash: z.nullish(hashValue),
  in_msg_hash: z.nullish(hashValue),
  transaction: z.nullish(v3Transaction),
  in_msg: z.nullish(v3Message),
  get children() {
    return z.nullish(z.array(v3TraceNode));
  },
});

/** A message that a local network's emulator could not execute. It waits until someone acts. */
export const v3FailedMessage = openObject({
  msg_hash: hashValue,
  destination: addressValue,
  /** For people. */
  error: z.string(),
});

/** The state of a trace. */
export const v3TraceInfo = openObject({
  /** complete, pending or broken. */
  trace_state: z.string(),
  messages: z.number(),
  transactions: z.number(),
  pending_messages: z.number(),
  /** unclassified, failed, ok or broken. */
  classification_state: z.string(),
});

/**
 * A trace. Above the service's limit (4000 transactions by default) it has `is_incomplete`, a warning, and neither
 * `trace` nor `transactions`.
 */
export const v3Trace = openObject({
  /** Hash of the root transaction. */
  trace_id: hashValue,
  /** Raw (not normalized) hash of the root external message. */
  external_hash: hashValue,
  mc_seqno_start: numberText,
  mc_seqno_end: numberText,
  start_lt: bigNumber,
  /** Unix seconds. */
  start_utime: z.number(),
  /** Null while the trace is open. */
  end_lt: bigNumber,
  end_utime: z.number(),
  trace_info: v3TraceInfo,
  is_incomplete: z.boolean(),
  warning: z.string(),
  /** Only on local networks. */
  failed_messages: z.array(v3FailedMessage),
  actions: z.array(v3Action),
  trace: v3TraceNode,
  /** By lt, then account. */
  transactions_order: z.array(hashValue),
  /** By hash; the key order is meaningless. */
  transactions: z.record(hashValue, z.nullable(v3Transaction)),
});

/** `/pendingTraces` returns null, not an empty list, if nothing is pending. */
export const v3TraceList = openObject({ traces: z.array(v3Trace), ...v3Books });

export const v3ActionList = openObject({ actions: z.array(v3Action), ...v3Books });

export type V3Action = z.output<typeof v3Action>;
export type V3ActionWire = WireOf<typeof v3Action>;
export type V3Trace = z.output<typeof v3Trace>;
export type V3TraceWire = WireOf<typeof v3Trace>;
export type V3TraceList = z.output<typeof v3TraceList>;
export type V3TraceListWire = WireOf<typeof v3TraceList>;

/** What a stream (Streaming v2) tells about, by its type. */
export const streamTypes = [
  'transactions',
  'actions',
  'trace',
  'account_state_change',
  'jettons_change',
  'trace_invalidated',
] as const;

export type StreamType = (typeof streamTypes)[number];

/** How settled what a stream tells is, least first. Only the last is sure to stay. */
export const streamFinalities = ['pending', 'confirmed', 'finalized'] as const;

export type StreamFinality = (typeof streamFinalities)[number];

const ofTrace = {
  type: z.string(),
  finality: finalityValue,
  /** Normalized hash of the external message that began the trace. */
  trace_external_hash_norm: hashValue,
};
const ofAccount = { type: z.string(), finality: finalityValue };

/** The events of Streaming v2, which hold objects of API v3. */
export const streamEvents = {
  /** Newest first. */
  transactions: openObject({ ...ofTrace, transactions: z.array(v3Transaction), ...v3Books }),
  actions: openObject({ ...ofTrace, actions: z.array(v3Action), ...v3Books }),
  trace: openObject({
    ...ofTrace,
    trace: v3TraceNode,
    transactions: z.record(hashValue, z.nullable(v3Transaction)),
    actions: z.array(v3Action),
    ...v3Books,
  }),
  account_state_change: openObject({ ...ofAccount, account: addressValue, state: v3AccountState }),
  jettons_change: openObject({
    ...ofAccount,
    jetton: openObject({
      address: addressValue,
      balance: bigNumber,
      owner: addressValue,
      jetton: addressValue,
      last_transaction_lt: bigNumber,
    }),
    ...v3Books,
  }),
};
