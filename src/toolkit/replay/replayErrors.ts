import type { Cell, Transaction, TransactionActionPhase } from '@ton/core';
import type { FailedOutcome } from '../execution/emulator/emulator';
import { WorkbenchError } from '../base/errors';

/** `replay-not-found` (input): the network does not know the transaction. */
export function replayNotFoundError(hash: string, network: string): WorkbenchError {
  return new WorkbenchError({
    code: 'replay-not-found',
    kind: 'input',
    message: `${network} has no transaction with this hash, nor one that received such a message: ${hash}.`,
    hint: 'Check the hash, and choose the network that has it.',
    details: { hash, network },
  });
}

/** `replay-impossible` (failed): an input is missing, or the transaction is of a kind that cannot run by itself. */
export function replayImpossibleError(message: string, hint?: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({ code: 'replay-impossible', kind: 'failed', message, hint, cause });
}

/** `replay-refused` (failed): a changed external message would not have been accepted. That is a result, too. */
export function replayRefusedError({ error, vm }: FailedOutcome): WorkbenchError {
  const exit = vm === undefined ? error : `exit code ${vm.exitCode}`;
  return new WorkbenchError({
    code: 'replay-refused',
    kind: 'failed',
    message: `With these changes, the contract does not accept the message: ${exit}.`,
    hint: 'Most contracts check a signature first; with the change signature=ignored, every check passes.',
    details: { exitCode: vm?.exitCode },
  });
}

/**
 * The in-message of a transaction as its very cell: serializing a parsed message again can change bits, and with them
 * fees and hashes. Undefined if there is none (tick-tock).
 *
 * @throws Error if the cell is not a transaction
 */
export function pastMessage(transaction: Cell): Cell | undefined {
  // transaction$0111 … ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
  const messages = transaction.refs[0]?.beginParse();
  return messages?.loadBit() === true ? messages.loadRef() : undefined;
}

/** A transaction's compute phase, run or skipped. */
type ComputePhase = Extract<Transaction['description'], { type: 'generic' }>['computePhase'];

/** What the VM did in a transaction; undefined if no code ran. */
export function vmPhaseOf(
  transaction: Pick<Transaction, 'description'>,
): Extract<ComputePhase, { type: 'vm' }> | undefined {
  const compute = computePhaseOf(transaction);
  return compute?.type === 'vm' ? compute : undefined;
}

/** A transaction's compute phase, also if it was skipped; undefined for a kind of transaction that has none. */
export function computePhaseOf({ description }: Pick<Transaction, 'description'>): ComputePhase | undefined {
  return 'computePhase' in description ? description.computePhase : undefined;
}

/** A transaction's action phase; undefined if it had none. */
export function actionPhaseOf({
  description,
}: Pick<Transaction, 'description'>): TransactionActionPhase | undefined {
  return 'actionPhase' in description ? (description.actionPhase ?? undefined) : undefined;
}
