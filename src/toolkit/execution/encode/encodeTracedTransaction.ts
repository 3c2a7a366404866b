import type { Exact } from '../../api/openObject';
import type { V3Transaction, V3AccountState } from '../../api/v3Objects';
import type { AccountStatus, Transaction } from '@ton/core';
import { Cell } from '@ton/core';
import { readAccount } from '../../cell/light/readAccount';
import { readLightCell } from '../../cell/light/readLightCell';
import { loadAnyTransaction } from '../../cell/loadAnyTransaction';
import type { DebugOutput } from '../../emulator/emulator';
import { absentAccount } from '../../emulator/absentAccount';
import { encodeDescription, hexHash } from './encodeDescription';
import type { CodeHashOf } from './encodeMessage';
import { encodeMessage } from './encodeMessage';
import type { TracedState, TracedTransaction } from './tracedTransaction';

const statuses: Record<AccountStatus, string> = {
  uninitialized: 'uninit',
  frozen: 'frozen',
  active: 'active',
  'non-existing': 'nonexist',
};

/** Facts that are not in the transaction itself. */
export interface TransactionKnowledge {
  codeHashOf: CodeHashOf;
  /** The contract's debug output. */
  printed: DebugOutput;
  /** Hash of the trace's root transaction. */
  traceId: string;
}

/** A transaction as described by the indexed API: executed, but in no block. */
export function encodeTracedTransaction(
  record: TracedTransaction,
  knowledge: TransactionKnowledge,
): Exact<V3Transaction> {
  const transaction = loadAnyTransaction(Cell.fromBoc(record.boc)[0] as Cell);
  return {
    account: record.account.address,
    hash: record.hash,
    lt: record.lt,
    now: record.now,
    mc_block_seqno: null,
    trace_id: knowledge.traceId,
    prev_trans_hash: hexHash(transaction.prevTransactionHash),
    prev_trans_lt: transaction.prevTransactionLt,
    orig_status: statuses[transaction.oldStatus],
    end_status: statuses[transaction.endStatus],
    total_fees: transaction.totalFees.coins,
    total_fees_extra_currencies: {},
    description: encodeDescription(transaction.description),
    block_ref: null,
    ...encodeMessages(record, transaction, knowledge.codeHashOf),
    account_state_before: encodeState(record.before, transaction.stateUpdate.oldHash),
    account_state_after: encodeState(record.after, transaction.stateUpdate.newHash),
    emulated: true,
    finality: null,
    // A field specific to this program.
    ...(knowledge.printed.length === 0 ? {} : { debug_output: [...knowledge.printed] }),
  };
}

function encodeMessages(
  { inMessage, outMessages }: TracedTransaction,
  transaction: Transaction,
  codeHashOf: CodeHashOf,
): Pick<Exact<V3Transaction>, 'in_msg' | 'out_msgs'> {
  const outgoing = transaction.outMessages.values();
  return {
    in_msg:
      inMessage === null || transaction.inMessage == null
        ? null
        : encodeMessage(codeHashOf, inMessage, transaction.inMessage),
    out_msgs: outMessages.map((message, index) => encodeMessage(codeHashOf, message, outgoing[index]!)),
  };
}

function encodeState(state: TracedState | null, hash: Buffer): Exact<V3AccountState> {
  const { balance, extraCurrencies, status, frozenHash, data } = readAccount(
    readLightCell(state === null ? Buffer.from(absentAccount, 'base64') : state.packed),
  );
  return {
    hash: hash.toString('hex'),
    balance,
    extra_currencies: { ...extraCurrencies },
    account_status: status,
    frozen_hash: frozenHash,
    data_hash: data?.hexHash ?? null,
    code_hash: state?.codeHash ?? null,
  };
}
