import * as z from 'zod';
import { openObject } from './openObject';
import { v3Action, v3TraceNode } from './v3Traces';
import { v3AccountState, v3Books, v3Transaction } from './v3Objects';
import { addressValue, bigNumber, finalityValue, hashValue } from './wire';

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
