import { WorkbenchError } from '../errors';

/** `replay-not-found` (input): the network does not know the transaction. */
export function replayNotFoundError(hash: string, network: string): WorkbenchError {
  return new WorkbenchError({
    code: 'replay-not-found',
    kind: 'input',
    message: `${network} has no transaction ${hash}.`,
    hint: 'Give the hash of a transaction, not of a message, and the network that has it.',
    details: { hash, network },
  });
}

/** `replay-impossible` (failed): an input is missing, or the transaction is of a kind that cannot run by itself. */
export function replayImpossibleError(message: string, hint?: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({ code: 'replay-impossible', kind: 'failed', message, hint, cause });
}
