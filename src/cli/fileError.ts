import type { ErrorCode } from '../toolkit/errorCodes';
import { WorkbenchError } from '../toolkit/errors';

/** A file named on the command line. */
export interface GivenFile {
  path: string;
  /** Its role, printed before its name: "The secret file". Default "The file". */
  what?: string | undefined;
  code: ErrorCode;
  hint?: string | undefined;
  /** It should be a folder. */
  isFolder?: boolean;
}

/** The error (input) for an unreadable file, with the reason: missing, a folder, or something else. */
export function fileError(
  { path, what = 'The file', code, hint, isFolder }: GivenFile,
  cause: unknown,
): WorkbenchError {
  return new WorkbenchError({
    code,
    kind: 'input',
    message: `${what} ${JSON.stringify(path)} ${fileProblem(cause, isFolder)}.`,
    hint,
    cause,
  });
}

/** Why reading a file failed, as the end of a sentence: "does not exist", "is a folder". */
export function fileProblem(cause: unknown, isFolder = false): string {
  const { code = undefined } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
  switch (code) {
    case 'ENOTDIR':
      return isFolder ? 'is a file, not a folder' : 'does not exist';
    case 'ENOENT':
      return 'does not exist';
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read: permission denied';
    default:
      return code === undefined ? 'cannot be read' : `cannot be read (${code})`;
  }
}
