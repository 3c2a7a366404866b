import type {
  V3TransactionDescriptionWire,
  V3StoragePhaseWire,
  V3CreditPhaseWire,
  V3ComputePhaseWire,
  V3ActionPhaseWire,
  V3BouncePhaseWire,
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

/** A transaction's description in the indexed API's words. Keys that do not apply are left out. */
export function encodeDescription(description: TransactionDescription): V3TransactionDescriptionWire {
  const result: V3TransactionDescriptionWire = { type: types[description.type] };
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

function encodeStorage(phase: TransactionStoragePhase): V3StoragePhaseWire {
  return {
    storage_fees_collected: phase.storageFeesCollected.toString(),
    ...(phase.storageFeesDue == null ? {} : { storage_fees_due: phase.storageFeesDue.toString() }),
    status_change: phase.statusChange,
  };
}

function encodeCredit(phase: TransactionCreditPhase): V3CreditPhaseWire {
  const currencies = phase.credit.other;
  return {
    ...(phase.dueFeesColelcted == null ? {} : { due_fees_collected: phase.dueFeesColelcted.toString() }),
    credit: phase.credit.coins.toString(),
    ...(currencies == null || currencies.size === 0
      ? {}
      : {
          credit_extra_currencies: Object.fromEntries(
            [...currencies].map(([id, amount]) => [id, amount.toString()]),
          ),
        }),
  };
}

function encodeCompute(phase: TransactionComputePhase): V3ComputePhaseWire {
  if (phase.type === 'skipped') {
    return { skipped: true, reason: phase.reason.replace('-', '_') };
  }
  return {
    skipped: false,
    success: phase.success,
    msg_state_used: phase.messageStateUsed,
    account_activated: phase.accountActivated,
    gas_fees: phase.gasFees.toString(),
    gas_used: phase.gasUsed.toString(),
    gas_limit: phase.gasLimit.toString(),
    ...(phase.gasCredit == null ? {} : { gas_credit: phase.gasCredit.toString() }),
    mode: phase.mode,
    exit_code: phase.exitCode,
    ...(phase.exitArg == null ? {} : { exit_arg: phase.exitArg }),
    vm_steps: phase.vmSteps,
    vm_init_state_hash: hash64(phase.vmInitStateHash),
    vm_final_state_hash: hash64(phase.vmFinalStateHash),
  };
}

function encodeAction(phase: TransactionActionPhase): V3ActionPhaseWire {
  return {
    success: phase.success,
    valid: phase.valid,
    no_funds: phase.noFunds,
    status_change: phase.statusChange,
    ...(phase.totalFwdFees == null ? {} : { total_fwd_fees: phase.totalFwdFees.toString() }),
    ...(phase.totalActionFees == null ? {} : { total_action_fees: phase.totalActionFees.toString() }),
    result_code: phase.resultCode,
    ...(phase.resultArg == null ? {} : { result_arg: phase.resultArg }),
    tot_actions: phase.totalActions,
    spec_actions: phase.specActions,
    skipped_actions: phase.skippedActions,
    msgs_created: phase.messagesCreated,
    action_list_hash: hash64(phase.actionListHash),
    tot_msg_size: {
      cells: phase.totalMessageSize.cells.toString(),
      bits: phase.totalMessageSize.bits.toString(),
    },
  };
}

function encodeBounce(phase: TransactionBouncePhase): V3BouncePhaseWire {
  if (phase.type === 'negative-funds') {
    return { type: 'negfunds' };
  }
  const size = {
    cells: phase.messageSize.cells.toString(),
    bits: phase.messageSize.bits.toString(),
  };
  if (phase.type === 'no-funds') {
    return { type: 'nofunds', msg_size: size, req_fwd_fees: phase.requiredForwardFees.toString() };
  }
  return {
    type: 'ok',
    msg_size: size,
    msg_fees: phase.messageFees.toString(),
    fwd_fees: phase.forwardFees.toString(),
  };
}

/** A hash as the APIs write it: base64. */
export function hash64(value: bigint): string {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64');
}
