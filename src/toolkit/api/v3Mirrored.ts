import * as z from 'zod';
import { openObject, v3BlockId } from './v3Objects';
import { addressValue, amountNumber, bigNumber, hashValue } from './wire';

/** The answers of v3 endpoints that mirror v2. */

/** `{"type": "num", "value": "0x2a"}`; tuple and list hold such entries, cell and slice a BoC in base64. */
export interface V3StackEntry {
  type: string;
  value?: unknown;
  [key: string]: unknown;
}
const stackEntry = z.looseObject({ type: z.string(), value: z.optional(z.unknown()) });

/** Nanocoins. */
export const v3Fees = openObject({
  in_fwd_fee: amountNumber,
  storage_fee: amountNumber,
  gas_fee: amountNumber,
  fwd_fee: amountNumber,
});

export const v3AddressInformation = openObject({
  /** Nanocoins. */
  balance: bigNumber,
  code: z.string(),
  data: z.string(),
  last_transaction_lt: bigNumber,
  last_transaction_hash: hashValue,
  frozen_hash: hashValue,
  /** uninit, frozen, active, nonexist; with use_v2 the words of v2 (uninitialized). */
  status: z.string(),
  suspended: z.boolean(),
});

export const v3SentMessage = openObject({ message_hash: hashValue, message_hash_norm: hashValue });

export const v3GetMethodResult = openObject({
  /** Only on local networks, as is the name. */
  address: addressValue,
  method: z.string(),
  gas_used: z.number(),
  exit_code: z.number(),
  stack: z.array(stackEntry),
  /** The method's debug output; only on local networks. */
  debug_output: z.unknown(),
  /** The masterchain block at which the method ran; only on local networks. */
  block_id: v3BlockId,
});

export const v3WalletInformation = openObject({
  /** Nanocoins. */
  balance: bigNumber,
  /** Such as `wallet v5 r1`. */
  wallet_type: z.string(),
  seqno: z.number(),
  wallet_id: z.number(),
  last_transaction_lt: bigNumber,
  last_transaction_hash: hashValue,
  status: z.string(),
  suspended: z.boolean(),
});

export const v3FeeEstimate = openObject({ source_fees: v3Fees, destination_fees: z.array(v3Fees) });
