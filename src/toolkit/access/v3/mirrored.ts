import * as z from 'zod';
import { amountNumber, bigNumber, hashValue } from '../../api/wire';
import { v3Get, v3Post } from '../endpoint';
import { address, boc, flag, method, required, stack } from '../parameter';

const category = 'Legacy (v2)';

/** `{"type": "num", "value": "0x2a"}`; tuple and list hold such entries, cell and slice a BoC in base64. */
export interface V3StackEntry {
  type: string;
  value?: unknown;
  [key: string]: unknown;
}
const stackEntry = z.looseObject({ type: z.string(), value: z.optional(z.unknown()) });

const addressParameters = {
  address: required(address('The account.')),
  use_v2: flag('Read through the v2 service instead of the index.', { default: true }),
};

/** Nanocoins. */
const fees = z.looseObject({
  in_fwd_fee: amountNumber,
  storage_fee: amountNumber,
  gas_fee: amountNumber,
  fwd_fee: amountNumber,
});

export const mirrored = {
  addressInformation: v3Get({
    path: '/addressInformation',
    category,
    purpose: 'Balance, code, data and last transaction of an account.',
    parameters: addressParameters,
    result: z.looseObject({
      /** Nanocoins. */
      balance: bigNumber,
      code: z.nullish(z.string()),
      data: z.nullish(z.string()),
      last_transaction_lt: z.nullish(bigNumber),
      last_transaction_hash: z.nullish(hashValue),
      frozen_hash: z.nullish(hashValue),
      /** uninit, frozen, active, nonexist; with use_v2 the words of v2 (uninitialized). */
      status: z.string(),
      suspended: z.nullish(z.boolean()),
    }),
  }),
  message: v3Post({
    path: '/message',
    category,
    purpose: 'Sends an external message and answers with its hash and normalised hash.',
    parameters: { boc: required(boc('The external message as a BoC, base64 or hex.')) },
    result: z.looseObject({ message_hash: hashValue, message_hash_norm: z.nullish(hashValue) }),
    changesChain: true,
  }),
  runGetMethod: v3Post({
    path: '/runGetMethod',
    category,
    purpose:
      'Runs a get-method; takes numbers, cells and slices. A failing one is an answer with an exit code.',
    parameters: {
      address: required(address('The contract.')),
      method: required(method('Name of the get-method, or its number.')),
      stack: required(
        stack<V3StackEntry>('Arguments: {"type": "num", "value": "0x2a"}, or cell and slice with base64.'),
      ),
    },
    result: z.looseObject({
      gas_used: z.number(),
      exit_code: z.number(),
      stack: z.nullable(z.array(stackEntry)),
      /** What the method printed; of local networks alone. */
      debug_output: z.optional(z.unknown()),
    }),
  }),
  walletInformation: v3Get({
    path: '/walletInformation',
    category,
    purpose: 'Type, seqno and wallet id of a wallet; 409 for other contracts.',
    parameters: addressParameters,
    result: z.looseObject({
      /** Nanocoins. */
      balance: bigNumber,
      /** Such as `wallet v5 r1`. */
      wallet_type: z.nullish(z.string()),
      seqno: z.nullish(z.number()),
      wallet_id: z.nullish(z.number()),
      last_transaction_lt: z.nullish(bigNumber),
      last_transaction_hash: z.nullish(hashValue),
      status: z.string(),
      suspended: z.nullish(z.boolean()),
    }),
  }),
  estimateFee: v3Post({
    path: '/estimateFee',
    category,
    purpose: 'The fees an external message would cost.',
    parameters: {
      address: required(address('Account the message goes to.')),
      body: required(boc('Body of the message as a BoC, base64 or hex.')),
      init_code: boc('Code of the state init, where the account is not deployed yet.'),
      init_data: boc('Data of the state init, where the account is not deployed yet.'),
      ignore_chksig: flag('Take every signature as valid.', { default: false }),
    },
    result: z.looseObject({ source_fees: fees, destination_fees: z.nullable(z.array(fees)) }),
  }),
};
