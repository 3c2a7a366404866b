import * as z from 'zod';
import { addressValue, bigNumber, hashValue } from '../../api/wire';
import { v3Get } from '../endpoint';
import { address, flag, integer, list } from '../parameter';
import { offset, sort } from './common';
import { books } from '../../api/v3Objects';

const category = 'Multisig';

const limit = integer('How many rows at most.', { minimum: 1, maximum: 1024, default: 10 });

const orderAction = z.looseObject({
  /** What could not be read. */
  error: z.nullish(z.string()),
  parsed: z.nullish(z.boolean()),
  destination: z.nullish(addressValue),
  send_mode: z.nullish(z.number()),
  /** Nanocoins. */
  value: z.nullish(bigNumber),
  body_raw: z.optional(z.unknown()),
  parsed_body: z.optional(z.unknown()),
  parsed_body_type: z.nullish(z.string()),
});

const multisigOrder = z.looseObject({
  address: addressValue,
  multisig_address: z.nullish(addressValue),
  order_seqno: z.nullish(bigNumber),
  threshold: z.nullish(z.number()),
  sent_for_execution: z.nullish(z.boolean()),
  approvals_mask: z.nullish(z.string()),
  approvals_num: z.nullish(z.number()),
  /** Unix seconds. */
  expiration_date: z.nullish(z.number()),
  /** BoC in base64. */
  order_boc: z.nullish(z.string()),
  signers: z.nullish(z.array(addressValue)),
  last_transaction_lt: z.nullish(bigNumber),
  code_hash: z.nullish(hashValue),
  data_hash: z.nullish(hashValue),
  actions: z.nullish(z.array(orderAction)),
});

const multisigWallet = z.looseObject({
  address: addressValue,
  next_order_seqno: z.nullish(bigNumber),
  threshold: z.nullish(z.number()),
  signers: z.nullish(z.array(addressValue)),
  proposers: z.nullish(z.array(addressValue)),
  last_transaction_lt: z.nullish(bigNumber),
  code_hash: z.nullish(hashValue),
  data_hash: z.nullish(hashValue),
  orders: z.nullish(z.array(multisigOrder)),
});

export const multisig = {
  multisigWallets: v3Get({
    path: '/multisig/wallets',
    category,
    purpose: 'Multisig contracts by address or by a wallet that signs or proposes: one of the two.',
    parameters: {
      address: list(address('The multisig contracts.')),
      wallet_address: list(address('Signers or proposers.')),
      include_orders: flag('With their orders.', { default: true }),
      limit,
      offset,
      sort,
    },
    result: z.looseObject({ multisigs: z.nullable(z.array(multisigWallet)), ...books }),
  }),
  multisigOrders: v3Get({
    path: '/multisig/orders',
    category,
    purpose: 'Orders of multisig contracts by address or by contract: one of the two.',
    parameters: {
      address: list(address('The orders.')),
      multisig_address: list(address('Their multisig contracts.')),
      parse_actions: flag('With what each order would do.', { default: false }),
      limit,
      offset,
      sort,
    },
    result: z.looseObject({ orders: z.nullable(z.array(multisigOrder)), ...books }),
  }),
};
