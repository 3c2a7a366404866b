import type { Exact } from '../../api/openObject';
import type {
  V3TransactionDescription,
  V3StoragePhase,
  V3CreditPhase,
  V3ComputePhase,
  V3ActionPhase,
  V3BouncePhase,
} from '../../api/v3Objects';
import type {
  TransactionActionPhase,
  TransactionBouncePhase,
  TransactionComputePhase,
  TransactionCreditPhase,
  TransactionDescription,
  TransactionStoragePhase,
} from '@ton/core';

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
export function encodeDescription(description: TransactionDescription): Exact<V3TransactionDescription> {
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
export function hexHash(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
