import { WorkbenchError } from '../../errors';
import type { ProcessState } from '../../journal/processMark';

/** A line could not be written: the disk is full, gone or read-only. */
export function journalWriteError(cause: unknown): WorkbenchError {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return new WorkbenchError({
    code: 'journal-write-failed',
    kind: 'failed',
    message: full
      ? `The webhook journal has no space left (${code}).`
      : `The webhook journal cannot be written${code === undefined ? '' : ` (${code})`}.`,
    hint: 'Until it can be written again, deliveries are answered with 503 so that the service retries them.',
    cause,
  });
}

/** The queue of unwritten entries is full. */
export function journalFullError(): WorkbenchError {
  return new WorkbenchError({
    code: 'journal-full',
    kind: 'failed',
    message: 'Too many deliveries are waiting to be written to the journal.',
    hint: 'The disk is too slow for this load; the service will retry what was refused.',
  });
}

/** The journal was closed. */
export function journalClosedError(): WorkbenchError {
  return new WorkbenchError({ code: 'journal-closed', kind: 'failed', message: 'The journal is closed.' });
}

/** Another process writes to the same directory. */
export function journalInUseError(
  directory: string,
  { pid }: { pid: number },
  state: ProcessState,
): WorkbenchError {
  const isStopped = state === 'stopped';
  return new WorkbenchError({
    code: 'journal-in-use',
    kind: 'input',
    message: `The journal in ${directory} is in use by process ${pid}${isStopped ? ', which is stopped' : ''}.`,
    hint: isStopped
      ? 'Resume that process (fg) or end it, or use another directory here.'
      : 'Stop that process, or use another directory here.',
    details: { directory, pid },
  });
}

/** The directory cannot be created or read. */
export function journalUnusableError(directory: string, cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'journal-unusable',
    kind: 'input',
    message: `The journal directory ${directory} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
    hint: 'Use a directory that you can write to.',
    details: { directory },
    cause,
  });
}
