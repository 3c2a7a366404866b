import { Cell } from '@ton/core';
import { loadAnyTransaction } from '../../cell/loadFolded';
import { recordExecution } from '../../recording/recordExecution';
import type { Recording } from '../../recording/recording';
import type { TransactionOutcome } from './emulator';

/**
 * The steps of a transaction that ran with the verbosity `full_location_stack_verbose`; undefined if no code ran.
 *
 * @param transaction BoC, base64
 */
export function recordTransaction(transaction: string, vmLog: string): Recording | undefined {
  const { description } = loadAnyTransaction(Cell.fromBase64(transaction));
  const compute = 'computePhase' in description ? description.computePhase : undefined;
  if (compute?.type !== 'vm') {
    return undefined;
  }
  return recordExecution(vmLog, {
    gasAtStart: Number(compute.gasCredit ?? compute.gasLimit),
    gasUsed: Number(compute.gasUsed),
    vmSteps: compute.vmSteps,
  });
}

/** The outcome with its steps instead of its log, which they contain. */
export function withRecording(outcome: TransactionOutcome): TransactionOutcome {
  return outcome.success
    ? { ...outcome, vmLog: '', recording: recordTransaction(outcome.transaction, outcome.vmLog) }
    : outcome;
}
