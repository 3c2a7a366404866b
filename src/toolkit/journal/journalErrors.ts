import { WorkbenchError } from '../errors';

/** The file was deleted while it was written to: what is written now would be nowhere. */
export function journalDeletedError(file: string): WorkbenchError {
  return new WorkbenchError({
    code: 'journal-deleted',
    kind: 'failed',
    message: `${file} was deleted while it was in use.`,
    hint: 'Start again with a new journal.',
    details: { file },
  });
}

/** The lock of the folder is no longer this process's. */
export function lockLostError(folder: string, holder: { pid: number } | undefined): WorkbenchError {
  const who =
    holder === undefined ? 'its lock, or the folder, was deleted' : `process ${holder.pid} took it over`;
  return new WorkbenchError({
    code: 'folder-lock-lost',
    kind: 'failed',
    message: `${folder} is no longer locked by this process: ${who}.`,
    hint: 'Start again; nothing more is written here.',
    details: { folder, ...(holder === undefined ? {} : { pid: holder.pid }) },
  });
}
