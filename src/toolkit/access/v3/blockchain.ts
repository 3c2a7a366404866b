import * as z from 'zod';
import { v3Get } from '../endpoint';
import { address, hash, int64, integer, list, shard } from '../parameter';
import { page, ranges, sort } from './common';
import { block, transactionList } from './objects';

const category = 'Blockchain data';

export const blockchain = {
  masterchainInfo: v3Get({
    path: '/masterchainInfo',
    category,
    purpose: 'The first and the newest indexed masterchain block.',
    parameters: {},
    result: z.looseObject({ last: block, first: block }),
  }),
  transactions: v3Get({
    path: '/transactions',
    category,
    purpose: 'Transactions by account, hash, block or time, newest first.',
    parameters: {
      workchain: integer('Workchain of the block.', { minimum: -(2 ** 31) }),
      shard: shard('Shard of the block; needs workchain.'),
      seqno: integer('Seqno of the block; needs workchain and shard.', { minimum: 0 }),
      mc_seqno: integer('Masterchain block whose transactions (and those of its shards) are wanted.', {
        minimum: 0,
      }),
      account: list(address('Accounts whose transactions are wanted.')),
      exclude_account: list(address('Accounts to leave out (the service reads and ignores this).')),
      hash: list(hash('Hashes of transactions.')),
      lt: int64('Logical time of the transaction.', { minimum: 0 }),
      ...ranges,
      ...page,
      sort,
    },
    result: transactionList,
  }),
};
