import * as z from 'zod';
import { v3Block, v3BlockList } from '../../api/v3Blocks';
import { openObject, v3Books, v3Message, v3TransactionList } from '../../api/v3Objects';
import { v3Get } from '../endpoint/endpoint';
import {
  address,
  choice,
  flag,
  hash,
  int64,
  integer,
  list,
  opcode,
  required,
  shard,
} from '../endpoint/parameter';
import { page, ranges, sort } from './v3Traces';

const category = 'Blockchain Data';

const masterchainSeqno = required(integer('Seqno of the masterchain block.', { minimum: 0 }));
const blockPlace = {
  workchain: integer('Workchain of the block: -1 or 0.'),
  shard: shard('Shard of the block; needs workchain.'),
  seqno: integer('Seqno of the block; needs workchain and shard.', { minimum: 0 }),
};

export const v3Blockchain = {
  masterchainInfo: v3Get({
    path: '/masterchainInfo',
    category,
    purpose: 'The first and the newest indexed masterchain block.',
    parameters: {},
    result: openObject({ last: v3Block, first: v3Block }),
  }),
  transactions: v3Get({
    path: '/transactions',
    category,
    purpose: 'Transactions by account, hash, block, or time, newest first.',
    parameters: {
      ...blockPlace,
      mc_seqno: integer('Masterchain block whose transactions to return, including those of its shards.', {
        minimum: 0,
      }),
      account: list(address('Accounts whose transactions to return.')),
      exclude_account: list(address('Accounts to leave out (the service accepts and ignores this).')),
      hash: list(hash('Hashes of transactions.')),
      lt: int64('Logical time of the transaction.', { minimum: 0 }),
      ...ranges,
      ...page,
      sort,
    },
    result: v3TransactionList,
  }),
  blocks: v3Get({
    path: '/blocks',
    category,
    purpose: 'Blocks by position, hash, masterchain block, or time.',
    parameters: {
      ...blockPlace,
      root_hash: hash('Root hash of the block.'),
      file_hash: hash('File hash of the block.'),
      mc_seqno: integer('Masterchain block that refers to the blocks.', { minimum: 0 }),
      ...ranges,
      ...page,
      sort,
    },
    result: v3BlockList,
  }),
  masterchainBlockShardState: v3Get({
    path: '/masterchainBlockShardState',
    category,
    purpose: 'The newest block of every shard at a masterchain block.',
    parameters: { seqno: masterchainSeqno },
    result: v3BlockList,
  }),
  masterchainBlockShards: v3Get({
    path: '/masterchainBlockShards',
    category,
    purpose: 'The shard blocks between a masterchain block and the one before it.',
    parameters: { seqno: masterchainSeqno, ...page },
    result: v3BlockList,
  }),
  transactionsByMasterchainBlock: v3Get({
    path: '/transactionsByMasterchainBlock',
    category,
    purpose: 'All transactions of a masterchain block and its shards.',
    parameters: { seqno: masterchainSeqno, ...page, sort },
    result: v3TransactionList,
  }),
  transactionsByMessage: v3Get({
    path: '/transactionsByMessage',
    category,
    purpose: 'Transactions that received or sent a message; needs msg_hash, body_hash or opcode.',
    parameters: {
      msg_hash: list(hash('Hashes of messages, raw or normalized.')),
      body_hash: hash('Hash of the body.'),
      opcode: opcode('Operation code; only with direction in.'),
      direction: choice('in: the receiving transactions; out: the sending ones; both by default.', [
        'in',
        'out',
      ]),
      ...page,
    },
    result: v3TransactionList,
  }),
  adjacentTransactions: v3Get({
    path: '/adjacentTransactions',
    category,
    purpose: 'The parent and the children of a transaction.',
    parameters: {
      hash: hash('Hash of the transaction.'),
      direction: choice('in: the parent; out: the children; both by default.', ['in', 'out']),
    },
    result: v3TransactionList,
  }),
  pendingTransactions: v3Get({
    path: '/pendingTransactions',
    category,
    purpose: 'Transactions of traces that are still running; the service requires account.',
    parameters: {
      account: list(address('The accounts.')),
      trace_id: list(hash('Hashes of root transactions.')),
    },
    result: v3TransactionList,
  }),
  messages: v3Get({
    path: '/messages',
    category,
    purpose: 'Messages by hash, body, account, opcode, or time.',
    parameters: {
      msg_hash: list(hash('Hashes of messages, raw or normalized.')),
      body_hash: hash('Hash of the body.'),
      source: address('Sender, or null for external messages.', { takesNull: true }),
      destination: address('Recipient, or null for logs.', { takesNull: true }),
      opcode: opcode('Operation code.'),
      ...ranges,
      direction: choice('in or out, as seen from the account.', ['in', 'out']),
      exclude_externals: flag('Leave out external messages.'),
      only_externals: flag('Only external messages; with start_lt=1 the newest come first.'),
      ...page,
      sort,
    },
    result: openObject({ messages: z.array(v3Message), ...v3Books }),
  }),
};
