import * as z from 'zod';
import { v3AccountBalance } from '../../api/v3Accounts';
import { v3Get } from '../endpoint/endpoint';
import { page } from './common';

export const v3Stats = {
  topAccountsByBalance: v3Get({
    path: '/topAccountsByBalance',
    category: 'Stats',
    purpose: 'The accounts with the largest balances.',
    parameters: page,
    /** Balances in nanocoins. */
    result: z.array(v3AccountBalance),
  }),
};
