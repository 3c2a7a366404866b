import type { ErrorCode } from '../toolkit/base/errorCodes';
import { WorkbenchError } from '../toolkit/base/errors';
import { readProblem } from '../toolkit/base/readUserFile';
import type { FullDelivery } from '../toolkit/webhook/delivery/delivery';
import { readKeptDelivery } from '../toolkit/webhook/journal/deliveryEntry';
import { pathHere } from './surroundings';

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

/**
 * The error (input) for an unreadable file, with the reason: missing, a folder, or something else. An error that is in words
 * already stays as it is.
 */
export function fileError(
  { path, what = 'The file', code, hint, isFolder }: GivenFile,
  cause: unknown,
): WorkbenchError {
  if (WorkbenchError.is(cause)) {
    return cause;
  }
  return new WorkbenchError({
    code,
    kind: 'input',
    message: `${what} ${JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)} ${readProblem(cause, isFolder)}.`,
    hint,
    cause,
  });
}

/** Why writing a file failed, as the end of a sentence: "the disk is full", "it is a folder". */
export function writeProblem(cause: unknown): string {
  const { code = undefined } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
  switch (code) {
    case 'ENOSPC':
      return 'the disk is full';
    case 'EDQUOT':
      return 'your quota on this disk is used up';
    case 'EFBIG':
      return 'it is larger than files may be here';
    case 'EROFS':
      return 'the disk is read-only';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'ENOENT':
    case 'ENOTDIR':
      return 'its folder does not exist';
    case 'EISDIR':
      return 'it is a folder';
    case 'EEXIST':
      return 'it exists already';
    case 'EPIPE':
      return 'nobody reads it';
    case 'ENXIO':
      return 'nothing is behind this device';
    default:
      return code ?? 'it failed';
  }
}

/** `usage` (input): files would be replaced, and `--force` was not given. */
export function existsAlreadyError(files: readonly string[]): WorkbenchError {
  return new WorkbenchError({
    code: 'usage',
    kind: 'input',
    message: `${files.join(' and ')} ${files.length === 1 ? 'exists' : 'exist'} already.`,
    hint: 'Give another file, or --force to replace what is there.',
  });
}

/**
 * A delivery in the journal of `webhook listen --journal`, by its id.
 * @throws WorkbenchError `delivery-unknown`, `deliveries-unreadable` (input)
 */
export async function keptDelivery(journal: string, id: string): Promise<FullDelivery> {
  let delivery: FullDelivery | undefined;
  try {
    delivery = await readKeptDelivery(pathHere(journal), id);
  } catch (cause) {
    throw journalUnreadableError(journal, cause);
  }
  if (delivery === undefined) {
    throw new WorkbenchError({
      code: 'delivery-unknown',
      kind: 'input',
      message: `The journal has no delivery ${JSON.stringify(id)}.`,
      hint: 'The ids are in the lines of webhook list and webhook listen.',
    });
  }
  return delivery;
}

/** A journal that cannot be read. */
export function journalUnreadableError(journal: string, cause: unknown): WorkbenchError {
  if (WorkbenchError.is(cause, 'format-newer')) {
    return cause;
  }
  const hint = 'Give the directory that webhook listen --journal was given.';
  return fileError(
    { path: journal, what: 'The journal', code: 'deliveries-unreadable', hint, isFolder: true },
    cause,
  );
}
