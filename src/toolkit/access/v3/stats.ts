import * as z from 'zod';
import { addressValue, bigNumber } from '../../api/wire';
import { v3Get } from '../endpoint';
import { page } from './common';

export const stats = {
  topAccountsByBalance: v3Get({
    path: '/topAccountsByBalance',
    category: 'Stats',
    purpose: 'The accounts with the greatest balances.',
    parameters: page,
    /** Balances in nanocoins. */
    result: z.array(z.looseObject({ account: addressValue, balance: bigNumber })),
  }),
};
