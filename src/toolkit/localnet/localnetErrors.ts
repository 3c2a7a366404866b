import { WorkbenchError } from '../errors';
import type { ProcessState } from '../journal/processMark';

/** @param free a port that nobody uses at the moment, to offer instead */
export function portTakenError(port: number, host: string, free: number): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-port-taken',
    kind: 'input',
    message: `Port ${port} on ${host} is in use by another program.`,
    hint: `Port ${free} is free; choose it, or 0 for any free one.`,
    details: { port, host, free },
  });
}

export function workerFailedError(cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-worker-failed',
    kind: 'internal',
    message: `The local network stopped unexpectedly: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: 'Start it again; the log has the details.',
    cause,
  });
}

export function stateInUseError(
  folder: string,
  { pid, port }: { pid: number; port?: number },
  state: ProcessState = 'running',
): WorkbenchError {
  const stopped = state === 'stopped' ? ', which is stopped' : '';
  const place = `${stopped}${port === undefined ? '' : `, answering on port ${port}`}`;
  return new WorkbenchError({
    code: 'localnet-state-in-use',
    kind: 'input',
    message: `The state in ${folder} belongs to a running local network (process ${pid}${place}).`,
    hint:
      state === 'stopped'
        ? 'Let it go on (fg) or end it, or choose another folder.'
        : 'Use that network, stop it, or choose another folder.',
    details: { folder, pid, ...(port === undefined ? {} : { port }) },
  });
}

/** The folder cannot be made, read or written. */
export function stateFolderError(folder: string, cause: unknown): WorkbenchError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new WorkbenchError({
    code: 'localnet-state-unusable',
    kind: 'input',
    message: `${JSON.stringify(folder)} cannot keep the local network's state: ${reason}.`,
    hint: 'Name a folder that can be written; it is made if it does not exist.',
    cause,
  });
}

/** The disk is full, a file may not grow any more, or the folder is another process's by now. */
export function stateUnwritableError(cause: unknown): WorkbenchError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new WorkbenchError({
    code: 'localnet-state-unwritable',
    kind: 'failed',
    message: `The local network cannot write its state (${reason.replace(/\.$/, '')}), so this was not accepted.`,
    hint: WorkbenchError.is(cause)
      ? (cause.hint ?? '')
      : 'Make room on the disk; nothing that was accepted before is lost.',
    cause,
  });
}

/** A kept state is not written over by a start. */
export function loadMismatchError(folder: string): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-load-mismatch',
    kind: 'input',
    message: `${folder} holds a state already, so nothing was loaded.`,
    hint: 'Leave out --load to go on with it, choose another folder, or load by control/load, which replaces it.',
    details: { folder },
  });
}

export function loadConflictError(): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-load-mismatch',
    kind: 'input',
    message: 'A state that is loaded brings its own accounts: it is no fork, and has its own wallets.',
    hint: 'Leave out --fork, --mnemonic, --accounts and --balance, or leave out --load.',
  });
}

export function otherWalletsError(folder: string): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-wallets-mismatch',
    kind: 'input',
    message: `The state in ${folder} began with other wallets than those asked for.`,
    hint: 'Leave out the mnemonic and the number of wallets to go on with its own, or choose another folder.',
    details: { folder },
  });
}
