import * as z from 'zod';
import { v2Read } from '../endpoint';
import { address, flag, hash, int64, integer, required } from '../parameter';
import { transaction } from './objects';

const category = 'Transactions';

/** The C++ service (2.1) gives up to 1000 transactions at once, the Python one (2.0) up to 100. */
const accountHistory = {
  address: required(address('The account.')),
  limit: integer('How many at most: up to 1000 on a C++ service (2.1), 100 on a Python one (2.0).', {
    minimum: 1,
    maximum: 1000,
    default: 10,
  }),
  lt: int64('Start at the transaction with this logical time; needs its hash too.', { minimum: 0 }),
  hash: hash('Start at the transaction with this hash; needs its lt too.'),
  to_lt: int64('Stop before transactions at or below this logical time.', { minimum: 0, default: 0 }),
  archival: flag('Ask an archival node: needed for old transactions.', { default: false }),
};

export const transactions = {
  getTransactions: v2Read({
    path: '/getTransactions',
    category,
    purpose: 'Transactions of an account, newest first, the one named by lt and hash included.',
    parameters: accountHistory,
    result: z.array(transaction),
  }),
};
