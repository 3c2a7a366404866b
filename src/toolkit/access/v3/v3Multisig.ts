import * as z from 'zod';
import { openObject } from '../../api/openObject';
import { v3MultisigOrder, v3MultisigWallet } from '../../api/v3Contracts';
import { v3Books } from '../../api/v3Objects';
import { v3Get } from '../endpoint/endpoint';
import { address, flag, integer, list } from '../endpoint/parameter';
import { offset, sort } from './common';

const category = 'Multisig';

const limit = integer('Maximum number of rows.', { minimum: 1, usualMaximum: 1024, default: 10 });

export const v3Multisig = {
  multisigWallets: v3Get({
    path: '/multisig/wallets',
    category,
    purpose: 'Multisig contracts, by address or by a signing or proposing wallet: one of the two.',
    parameters: {
      address: list(address('The multisig contracts.')),
      wallet_address: list(address('Signers or proposers.')),
      include_orders: flag('Include their orders.', { default: true }),
      limit,
      offset,
      sort,
    },
    result: openObject({ multisigs: z.array(v3MultisigWallet), ...v3Books }),
  }),
  multisigOrders: v3Get({
    path: '/multisig/orders',
    category,
    purpose: 'Orders of multisig contracts, by address or by contract: one of the two.',
    parameters: {
      address: list(address('The orders.')),
      multisig_address: list(address('Their multisig contracts.')),
      parse_actions: flag('Include what each order would do.', { default: false }),
      limit,
      offset,
      sort,
    },
    result: openObject({ orders: z.array(v3MultisigOrder), ...v3Books }),
  }),
};
