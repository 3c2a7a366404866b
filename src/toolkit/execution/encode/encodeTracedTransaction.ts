import type { Exact } from '../../api/openObject';
import type { V3Transaction, V3AccountState } from '../../api/v3Objects';
import type { AccountStatus, Transaction } from '@ton/core';
import { Cell } from '@ton/core';
import type { LightCell } from '../../cell/light/lightCell';
import { readAccount } from '../../cell/light/readAccount';
import type { AccountFacts } from '../../cell/light/readAccount';
import { readLightCell } from '../../cell/light/readLightCell';
import { writeLightCell } from '../../cell/light/writeLightCell';
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
  const [before, after] = [factsOf(record.before), factsOf(record.after)];
  const isChanged = before.data?.hexHash !== after.data?.hexHash;
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
    account_state_before: encodeState(record.before, before, transaction.stateUpdate.oldHash, isChanged),
    account_state_after: encodeState(record.after, after, transaction.stateUpdate.newHash, isChanged),
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

function factsOf(state: TracedState | null): AccountFacts {
  return readAccount(readLightCell(state === null ? Buffer.from(absentAccount, 'base64') : state.packed));
}

/** Larger data is not repeated in every transaction. */
const mostDataCells = 256;

function isSmall(cell: LightCell): boolean {
  const waiting = [cell];
  for (let count = 0; count <= mostDataCells; count++) {
    const next = waiting.pop();
    if (next === undefined) {
      return true;
    }
    waiting.push(...next.refs);
  }
  return false;
}

/**
 * @param isChanged whether the transaction changed the data: then both states include it, which the indexed
 * API omits
 */
function encodeState(
  state: TracedState | null,
  { balance, extraCurrencies, status, frozenHash, data }: AccountFacts,
  hash: Buffer,
  isChanged: boolean,
): Exact<V3AccountState> {
  return {
    hash: hash.toString('hex'),
    balance,
    extra_currencies: { ...extraCurrencies },
    account_status: status,
    frozen_hash: frozenHash,
    data_hash: data?.hexHash ?? null,
    code_hash: state?.codeHash ?? null,
    ...(isChanged && data !== null && isSmall(data)
      ? { data_boc: writeLightCell(data).toString('base64') }
      : {}),
  };
}
