import { toWorkbenchError, WorkbenchError } from '../../errors';
import type { ForkPoint } from '../records/forkPoint';
import type { ForkWish } from './forkSource';

export function forkNeededError(folder: string, { network, url, seqno }: ForkPoint): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-fork-needed',
    kind: 'input',
    message: `The state in ${folder} is a fork of ${network} at block ${seqno}, and the network to read from is unknown.`,
    hint: `Start it as a fork of ${network} (--fork ${url}), or choose another folder.`,
    details: { folder, network, url, seqno },
  });
}

/**
 * An account, library or configuration could not be read from the network that the fork reads from:
 * `fork-read-failed`. Cancellation is passed on unchanged.
 */
export function forkReadError({ network, url }: ForkPoint, thrown: unknown): WorkbenchError {
  const error = toWorkbenchError(thrown);
  if (error.code === 'aborted') {
    return error;
  }
  const { kind, message } = error;
  return new WorkbenchError({
    code: 'fork-read-failed',
    kind,
    message: `this fork could not read from ${network}: ${message}`,
    hint:
      error.code === 'fork-block-replaced'
        ? error.hint
        : 'Check that the network is running and reachable, then try again.',
    details: { network, url },
    cause: thrown,
  });
}

export function forkMismatchError(
  folder: string,
  point: ForkPoint | undefined,
  wish: ForkWish,
): WorkbenchError {
  const kept =
    point === undefined
      ? 'is not a fork'
      : `is a fork of ${point.network} (${point.url}) at block ${point.seqno}`;
  const wished = wish.seqno === undefined ? wish.url : `${wish.url} at block ${wish.seqno}`;
  return new WorkbenchError({
    code: 'localnet-fork-mismatch',
    kind: 'input',
    message: `The state in ${folder} ${kept}; you asked for a fork of ${wished}.`,
    hint: 'Choose another folder for this fork, or delete that one.',
    details: { folder, kept: point, wished: wish },
  });
}
