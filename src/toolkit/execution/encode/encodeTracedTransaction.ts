import type { V3TransactionWire, V3AccountStateWire } from '../../api/v3Objects';
import type { AccountStatus, Transaction } from '@ton/core';
import { Cell } from '@ton/core';
import { readAccount } from '../../cell/light/readAccount';
import { readLightCell } from '../../cell/light/readLightCell';
import { loadAnyTransaction } from '../../cell/loadAnyTransaction';
import type { DebugOutput } from '../../emulator/emulator';
import { absentAccount } from '../../emulator/absentAccount';
import { encodeDescription, hash64 } from './encodeDescription';
import type { CodeHashOf } from './encodeMessage';
import { encodeMessage } from './encodeMessage';
import type { TracedState, TracedTransaction } from './tracedTransaction';

const statuses: Record<AccountStatus, string> = {
  uninitialized: 'uninit',
  frozen: 'frozen',
  active: 'active',
  'non-existing': 'nonexist',
};

/** What is known beside a transaction itself. */
export interface TransactionKnowledge {
  codeHashOf: CodeHashOf;
  /** What the contract printed. */
  printed: DebugOutput;
  /** Hash (base64) of the trace's root transaction. */
  traceId: string;
}

/** A transaction in the indexed API's form, as one that was executed and is in no block. */
export function encodeTracedTransaction(
  record: TracedTransaction,
  knowledge: TransactionKnowledge,
): V3TransactionWire {
  const transaction = loadAnyTransaction(Cell.fromBoc(record.boc)[0] as Cell);
  return {
    account: record.account.address,
    hash: record.hash,
    lt: record.lt.toString(),
    now: record.now,
    mc_block_seqno: null,
    trace_id: knowledge.traceId,
    prev_trans_hash: hash64(transaction.prevTransactionHash),
    prev_trans_lt: transaction.prevTransactionLt.toString(),
    orig_status: statuses[transaction.oldStatus],
    end_status: statuses[transaction.endStatus],
    total_fees: transaction.totalFees.coins.toString(),
    total_fees_extra_currencies: {},
    description: encodeDescription(transaction.description),
    block_ref: null,
    ...encodeMessages(record, transaction, knowledge.codeHashOf),
    account_state_before: encodeState(record.before, transaction.stateUpdate.oldHash),
    account_state_after: encodeState(record.after, transaction.stateUpdate.newHash),
    emulated: true,
    finality: null,
    // A field of this program alone.
    ...(knowledge.printed.length === 0 ? {} : { debug_output: [...knowledge.printed] }),
  };
}

function encodeMessages(
  { inMessage, outMessages }: TracedTransaction,
  transaction: Transaction,
  codeHashOf: CodeHashOf,
): Pick<V3TransactionWire, 'in_msg' | 'out_msgs'> {
  const outgoing = transaction.outMessages.values();
  return {
    in_msg:
      inMessage === null || transaction.inMessage == null
        ? null
        : encodeMessage(codeHashOf, inMessage, transaction.inMessage),
    out_msgs: outMessages.map((message, index) => encodeMessage(codeHashOf, message, outgoing[index]!)),
  };
}

function encodeState(state: TracedState | null, hash: Buffer): V3AccountStateWire {
  const { balance, extraCurrencies, status, frozenHash, data } = readAccount(
    readLightCell(state === null ? Buffer.from(absentAccount, 'base64') : state.packed),
  );
  return {
    hash: hash.toString('base64'),
    balance: balance.toString(),
    extra_currencies: extraCurrencies,
    account_status: status,
    frozen_hash: frozenHash,
    data_hash: data?.hash64 ?? null,
    code_hash: state?.codeHash ?? null,
  };
}
