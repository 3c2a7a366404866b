import { WorkbenchError } from '../errors';

/** The file was deleted while in use: further writes would be lost. */
export function journalDeletedError(file: string): WorkbenchError {
  return new WorkbenchError({
    code: 'journal-deleted',
    kind: 'failed',
    message: `${file} was deleted while it was in use.`,
    hint: 'Start again with a new journal.',
    details: { file },
  });
}

/** This process no longer holds the folder's lock. */
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
