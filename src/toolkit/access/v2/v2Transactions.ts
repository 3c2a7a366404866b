import * as z from 'zod';
import { addressValue, bigNumber, hashValue } from '../../api/wire';
import { v2Read } from '../endpoint/endpoint';
import { address, flag, hash, int64, integer, required } from '../endpoint/parameter';
import { blockParameters } from './v2Blocks';
import { v2BlockIdExt, v2Transaction, v2TransactionId, v2TransactionStd, v2Type } from '../../api/v2Objects';

const category = 'Transactions';

const accountHistory = {
  address: required(address('The account.')),
  limit: integer('Maximum number: up to 1000 on a C++ service (2.1), 100 on a Python one (2.0).', {
    minimum: 1,
    maximum: 1000,
    maximumOnPython: 100,
    default: 10,
  }),
  lt: int64('Start at the transaction with this logical time; needs its hash too.', { minimum: 0 }),
  hash: hash('Start at the transaction with this hash; needs its lt too.'),
  to_lt: int64('Stop before transactions at or below this logical time.', { minimum: 0, default: 0 }),
  archival: flag('Use an archival node; required for old transactions.', { default: false }),
};

const blockPage = {
  ...blockParameters,
  after_lt: int64('Continue after the transaction with this logical time; needs after_hash too.', {
    minimum: 0,
  }),
  after_hash: hash('Continue after the account with this id (the 64 hex digits of its address).'),
  count: integer('Maximum number.', { minimum: 1, maximum: 10_000, default: 40 }),
};

const locate = {
  source: required(address('Account that sent the message.')),
  destination: required(address('Account that received the message.')),
  created_lt: required(int64('Logical time at which the message was created.', { minimum: 0 })),
};

const blockPageFields = {
  ...v2Type,
  id: v2BlockIdExt,
  req_count: z.number(),
  /** There are more: continue with after_lt and after_hash. */
  incomplete: z.boolean(),
};

export const v2Transactions = {
  getBlockTransactions: v2Read({
    path: '/getBlockTransactions',
    category,
    purpose: 'Accounts and hashes of the transactions of a block.',
    parameters: blockPage,
    result: z.looseObject({
      ...blockPageFields,
      transactions: z.array(
        z.looseObject({
          ...v2Type,
          mode: z.optional(z.number()),
          account: addressValue,
          lt: bigNumber,
          hash: hashValue,
        }),
      ),
    }),
  }),
  getBlockTransactionsExt: v2Read({
    path: '/getBlockTransactionsExt',
    category,
    purpose: 'The full transactions of a block.',
    parameters: blockPage,
    result: z.looseObject({ ...blockPageFields, transactions: z.array(v2TransactionStd) }),
  }),
  getTransactions: v2Read({
    path: '/getTransactions',
    category,
    purpose: 'Transactions of an account, newest first, including the one named by lt and hash.',
    parameters: accountHistory,
    result: z.array(v2Transaction),
  }),
  getTransactionsStd: v2Read({
    path: '/getTransactionsStd',
    category,
    purpose: 'Transactions of an account, with address objects and where to continue.',
    parameters: accountHistory,
    result: z.looseObject({
      ...v2Type,
      transactions: z.array(v2TransactionStd),
      previous_transaction_id: z.nullish(v2TransactionId),
    }),
  }),
  tryLocateTx: v2Read({
    path: '/tryLocateTx',
    category,
    purpose: 'The transaction that received a message.',
    parameters: locate,
    result: v2Transaction,
  }),
  tryLocateResultTx: v2Read({
    path: '/tryLocateResultTx',
    category,
    purpose: 'The transaction that received a message (same as tryLocateTx).',
    parameters: locate,
    result: v2Transaction,
  }),
  tryLocateSourceTx: v2Read({
    path: '/tryLocateSourceTx',
    category,
    purpose: 'The transaction that sent a message.',
    parameters: locate,
    result: v2Transaction,
  }),
};
