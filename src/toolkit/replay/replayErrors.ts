import type { FailedOutcome } from '../emulator/emulator';
import { WorkbenchError } from '../errors';

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
