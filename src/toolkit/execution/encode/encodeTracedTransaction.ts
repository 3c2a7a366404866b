import type {
  AccountStatus,
  Transaction,
  TransactionActionPhase,
  TransactionBouncePhase,
  TransactionComputePhase,
  TransactionCreditPhase,
  TransactionDescription,
  TransactionStoragePhase,
} from '@ton/core';
import { Cell } from '@ton/core';
import type {
  Exact,
  V3AccountState,
  V3ActionPhase,
  V3BouncePhase,
  V3ComputePhase,
  V3CreditPhase,
  V3StoragePhase,
  V3Transaction,
  V3TransactionDescription,
} from '../../api/v3Objects';
import type { LightCell } from '../../cell/light/lightCell';
import { readLightCell, writeLightCell } from '../../cell/light/lightCell';
import type { AccountFacts, MessageHead } from '../../cell/light/readMessage';
import { readAccount } from '../../cell/light/readMessage';
import { loadAnyTransaction } from '../../cell/loadFolded';
import { absentAccount } from '../emulator/emulator';
import type { DebugOutput } from '../emulator/emulator';
import type { CodeHashOf } from './decodedBody';
import { encodeMessage } from './decodedBody';

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

const types: Record<TransactionDescription['type'], string> = {
  generic: 'ord',
  storage: 'storage',
  'tick-tock': 'tick_tock',
  'split-prepare': 'split_prepare',
  'split-install': 'split_install',
  'merge-prepare': 'merge_prepare',
  'merge-install': 'merge_install',
};

/** A transaction's description as in the indexed API. Keys that do not apply are omitted. */
function encodeDescription(description: TransactionDescription): Exact<V3TransactionDescription> {
  const result: Exact<V3TransactionDescription> = { type: types[description.type] };
  if ('destroyed' in description) {
    result.aborted = description.aborted;
    result.destroyed = description.destroyed;
  }
  if (description.type === 'generic') {
    result.credit_first = description.creditFirst;
  }
  if (description.type === 'tick-tock') {
    result.is_tock = description.isTock;
  }
  if ('storagePhase' in description && description.storagePhase != null) {
    result.storage_ph = encodeStorage(description.storagePhase);
  }
  if ('creditPhase' in description && description.creditPhase != null) {
    result.credit_ph = encodeCredit(description.creditPhase);
  }
  if ('computePhase' in description) {
    result.compute_ph = encodeCompute(description.computePhase);
  }
  if ('actionPhase' in description && description.actionPhase != null) {
    result.action = encodeAction(description.actionPhase);
  }
  if ('bouncePhase' in description && description.bouncePhase != null) {
    result.bounce = encodeBounce(description.bouncePhase);
  }
  return result;
}

function encodeStorage(phase: TransactionStoragePhase): Exact<V3StoragePhase> {
  return {
    storage_fees_collected: phase.storageFeesCollected,
    ...(phase.storageFeesDue == null ? {} : { storage_fees_due: phase.storageFeesDue }),
    status_change: phase.statusChange,
  };
}

function encodeCredit(phase: TransactionCreditPhase): Exact<V3CreditPhase> {
  const currencies = phase.credit.other;
  return {
    ...(phase.dueFeesColelcted == null ? {} : { due_fees_collected: phase.dueFeesColelcted }),
    credit: phase.credit.coins,
    ...(currencies == null || currencies.size === 0
      ? {}
      : {
          credit_extra_currencies: Object.fromEntries([...currencies]),
        }),
  };
}

function encodeCompute(phase: TransactionComputePhase): Exact<V3ComputePhase> {
  if (phase.type === 'skipped') {
    return { skipped: true, reason: phase.reason.replace('-', '_') };
  }
  return {
    skipped: false,
    success: phase.success,
    msg_state_used: phase.messageStateUsed,
    account_activated: phase.accountActivated,
    gas_fees: phase.gasFees,
    gas_used: phase.gasUsed,
    gas_limit: phase.gasLimit,
    ...(phase.gasCredit == null ? {} : { gas_credit: phase.gasCredit }),
    mode: phase.mode,
    exit_code: phase.exitCode,
    ...(phase.exitArg == null ? {} : { exit_arg: phase.exitArg }),
    vm_steps: phase.vmSteps,
    vm_init_state_hash: hexHash(phase.vmInitStateHash),
    vm_final_state_hash: hexHash(phase.vmFinalStateHash),
  };
}

function encodeAction(phase: TransactionActionPhase): Exact<V3ActionPhase> {
  return {
    success: phase.success,
    valid: phase.valid,
    no_funds: phase.noFunds,
    status_change: phase.statusChange,
    ...(phase.totalFwdFees == null ? {} : { total_fwd_fees: phase.totalFwdFees }),
    ...(phase.totalActionFees == null ? {} : { total_action_fees: phase.totalActionFees }),
    result_code: phase.resultCode,
    ...(phase.resultArg == null ? {} : { result_arg: phase.resultArg }),
    tot_actions: phase.totalActions,
    spec_actions: phase.specActions,
    skipped_actions: phase.skippedActions,
    msgs_created: phase.messagesCreated,
    action_list_hash: hexHash(phase.actionListHash),
    tot_msg_size: {
      cells: phase.totalMessageSize.cells,
      bits: phase.totalMessageSize.bits,
    },
  };
}

function encodeBounce(phase: TransactionBouncePhase): Exact<V3BouncePhase> {
  if (phase.type === 'negative-funds') {
    return { type: 'negfunds' };
  }
  const size = {
    cells: phase.messageSize.cells,
    bits: phase.messageSize.bits,
  };
  if (phase.type === 'no-funds') {
    return { type: 'nofunds', msg_size: size, req_fwd_fees: phase.requiredForwardFees };
  }
  return {
    type: 'ok',
    msg_size: size,
    msg_fees: phase.messageFees,
    fwd_fees: phase.forwardFees,
  };
}

/** A hash as 64 lowercase hex digits. */
function hexHash(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

/** A state of an account, as needed to encode a transaction. */
export interface TracedState {
  /** ShardAccount, BoC; its code may be missing. */
  readonly packed: Buffer;
  /** Lowercase hex. */
  readonly codeHash: string | null;
}

/** A message and the transactions it connects. */
export interface TracedMessage extends MessageHead {
  readonly producer: TracedTransaction | null;
}

/** An executed transaction and its connections: a record of the local network, or of a run. */
export interface TracedTransaction {
  /** Lowercase hex. */
  readonly hash: string;
  readonly lt: bigint;
  /** Unix seconds. */
  readonly now: number;
  /** BoC. */
  readonly boc: Buffer;
  readonly account: { readonly address: string };
  /** Null if the account never existed. */
  readonly before: TracedState | null;
  readonly after: TracedState;
  readonly inMessage: TracedMessage | null;
  readonly outMessages: readonly TracedMessage[];
}

/** All transactions caused by one root. */
export interface TracedRun {
  readonly transactions: readonly TracedTransaction[];
  /** Total number of messages. */
  readonly messages: number;
  /** Internal messages sent but not received. */
  readonly pendingMessages: number;
}
