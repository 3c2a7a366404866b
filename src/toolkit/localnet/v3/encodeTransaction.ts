import type { AccountStatus, Transaction } from '@ton/core';
import { Cell, loadMessage } from '@ton/core';
import { loadAnyTransaction } from '../../cell/loadAnyTransaction';
import type { LightCell } from '../../cell/light/lightCell';
import { readBoc } from '../../cell/light/readBoc';
import { writeBoc } from '../../cell/light/writeBoc';
import { accountSummary } from '../chain/accountSummary';
import type { AccountVersion, TransactionRecord, MessageRecord } from '../records/records';
import { readTransaction as readHead } from '../../cell/light/readTransaction';
import type { EncodeContext } from './encodeContext';
import type { Json } from '../api/json';
import { encodeDescription } from './encodeDescription';
import { encodeMessage } from './encodeMessage';

export const basechainShard = '8000000000000000';

const statuses: Record<AccountStatus, string> = {
  uninitialized: 'uninit',
  frozen: 'frozen',
  active: 'active',
  'non-existing': 'nonexist',
};

/** A transaction in the indexed API's form. */
export function encodeTransaction(context: EncodeContext, record: TransactionRecord): Json {
  const transaction = readTransaction(record);
  const root = record.trace.transactions[0] as TransactionRecord;
  return {
    account: record.account.address,
    hash: record.hash,
    lt: record.lt.toString(),
    now: record.now,
    mc_block_seqno: record.block.seqno,
    trace_id: root.hash,
    prev_trans_hash: hash64(transaction.prevTransactionHash),
    prev_trans_lt: transaction.prevTransactionLt.toString(),
    orig_status: statuses[transaction.oldStatus],
    end_status: statuses[transaction.endStatus],
    total_fees: transaction.totalFees.coins.toString(),
    total_fees_extra_currencies: {},
    description: encodeDescription(transaction.description),
    block_ref: blockReference(record),
    ...encodeMessages(context, record, transaction),
    account_state_before: encodeState(record.before, transaction.stateUpdate.oldHash),
    account_state_after: encodeState(record.after, transaction.stateUpdate.newHash),
    emulated: false,
    finality: 'finalized',
    ...printed(context, record),
  };
}

/** A field of the local network alone: what the contract printed. */
function printed({ ledger }: EncodeContext, { hash }: TransactionRecord): Json {
  const output = ledger.debug.of(hash);
  return output.length === 0 ? {} : { debug_output: output };
}

/** Transactions of masterchain accounts are in the masterchain block itself. */
function blockReference(record: TransactionRecord): Json {
  const workchain = record.account.address.startsWith('-1:') ? -1 : 0;
  return { workchain, shard: basechainShard, seqno: record.block.seqno };
}

function encodeMessages(context: EncodeContext, record: TransactionRecord, transaction: Transaction): Json {
  const { inMessage } = record;
  const outgoing = transaction.outMessages.values();
  return {
    in_msg:
      inMessage === null || transaction.inMessage == null
        ? null
        : encodeMessage(context, inMessage, transaction.inMessage),
    out_msgs: record.outMessages.map((message, index) => encodeMessage(context, message, outgoing[index]!)),
  };
}

function readTransaction(record: TransactionRecord): Transaction {
  return loadAnyTransaction(Cell.fromBoc(record.boc)[0] as Cell);
}

/** A message by itself, read from a transaction it stands in: the receiver's, which holds no others that came in. */
export function encodeMessageOf(context: EncodeContext, record: MessageRecord): Json {
  const { producer, consumer } = record;
  const { boc } = (consumer ?? producer) as TransactionRecord;
  const { inMessage, outMessages } = readHead(readBoc(boc));
  const cell = consumer === null ? outMessages[producer?.outMessages.indexOf(record) ?? 0] : inMessage;
  const [root] = Cell.fromBoc(writeBoc(cell as LightCell));
  return encodeMessage(context, record, loadMessage((root as Cell).beginParse()));
}

function encodeState(version: AccountVersion | null, hash: Buffer): Json {
  const summary = accountSummary(version);
  return {
    hash: hash.toString('base64'),
    balance: summary.balance.toString(),
    extra_currencies: summary.extraCurrencies,
    account_status: summary.status,
    frozen_hash: summary.frozenHash,
    data_hash: summary.data?.hash64 ?? null,
    code_hash: version?.codeHash ?? null,
  };
}

function hash64(value: bigint): string {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64');
}
