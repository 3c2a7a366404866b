import * as z from 'zod';
import { openObject } from '../../api/openObject';
import { v3MultisigOrder, v3MultisigWallet } from '../../api/v3Contracts';
import { v3Books } from '../../api/v3Objects';
import { v3Get } from '../endpoint/endpoint';
import { address, flag, integer, list } from '../endpoint/parameter';
import { offset, sort } from './common';

const category = 'Multisig';

const limit = integer('How many rows at most.', { minimum: 1, usualMaximum: 1024, default: 10 });

export const v3Multisig = {
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
    result: openObject({ multisigs: z.array(v3MultisigWallet), ...v3Books }),
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
    result: openObject({ orders: z.array(v3MultisigOrder), ...v3Books }),
  }),
};
