import { WorkbenchError } from '../errors';

/** A line could not be written: the disk is full, gone or read-only. */
export function journalWriteError(cause: unknown): WorkbenchError {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return new WorkbenchError({
    code: 'journal-write-failed',
    kind: 'failed',
    message: full
      ? `The journal of webhook deliveries has no space left (${code}).`
      : `The journal of webhook deliveries cannot be written${code === undefined ? '' : ` (${code})`}.`,
    hint: 'Deliveries are answered 503, so that the service retries, until it can be written again.',
    cause,
  });
}

/** More is waiting to be written than may wait. */
export function journalFullError(): WorkbenchError {
  return new WorkbenchError({
    code: 'journal-full',
    kind: 'failed',
    message: 'Too many deliveries wait to be written to the journal.',
    hint: 'The disk is too slow for this load; the service retries what was refused.',
  });
}

/** The journal was closed. */
export function journalClosedError(): WorkbenchError {
  return new WorkbenchError({ code: 'journal-closed', kind: 'failed', message: 'The journal is closed.' });
}

/** Another listener writes to the same directory. */
export function journalInUseError(directory: string, pid: number): WorkbenchError {
  return new WorkbenchError({
    code: 'journal-in-use',
    kind: 'input',
    message: `The journal in ${directory} is in use by process ${pid}.`,
    hint: 'Stop the other listener, or give this one a directory of its own.',
    details: { directory, pid },
  });
}

/** The directory cannot be made or read. */
export function journalUnusableError(directory: string, cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'journal-unusable',
    kind: 'input',
    message: `The journal directory ${directory} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
    hint: 'Give a directory that you may write to.',
    details: { directory },
    cause,
  });
}
