import type { ProcessState } from '../../journal/processMark';
import { WorkbenchError } from '../../errors';

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
        ? 'Resume it (fg) or end it, or choose another folder.'
        : 'Use that network, stop it, or choose another folder.',
    details: { folder, pid, ...(port === undefined ? {} : { port }) },
  });
}

/** The folder cannot be created, read, or written. */
export function stateFolderError(folder: string, cause: unknown): WorkbenchError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new WorkbenchError({
    code: 'localnet-state-unusable',
    kind: 'input',
    message: `${JSON.stringify(folder)} cannot store the local network's state: ${reason}.`,
    hint: 'Choose a folder that you can write to; it is created if it does not exist.',
    cause,
  });
}

/** The disk is full, a file cannot grow further, or the folder now belongs to another process. */
export function stateUnwritableError(cause: unknown): WorkbenchError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new WorkbenchError({
    code: 'localnet-state-unwritable',
    kind: 'failed',
    message: `The local network cannot write its state (${reason.replace(/\.$/, '')}), so this was not accepted.`,
    hint: WorkbenchError.is(cause)
      ? (cause.hint ?? '')
      : 'Free up disk space; nothing that was accepted before is lost.',
    cause,
  });
}
