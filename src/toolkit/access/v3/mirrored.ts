import * as z from 'zod';
import { bigNumber, hashValue } from '../wire';
import { v3Get, v3Post } from '../endpoint';
import { address, boc, flag, method, required, stack } from '../parameter';

const category = 'API v2';

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
    }),
  }),
};
