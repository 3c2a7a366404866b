import * as fs from 'node:fs';
import path from 'node:path';
import type { LimitName } from './limits';
import { limits, overLimitError } from './limits';

/** What else must be true of a file before it is read. */
export interface ReadUserFileOptions {
  /** The folder that the file must be in, after links are followed. */
  inside?: string | undefined;
  /** Whether the file must belong to the user of this process. */
  isOwn?: true;
}

/**
 * The one way to read a file whose path or content others may choose. Devices, pipes, and folders are refused before they
 * are opened, and nothing beyond the limit is read, whatever size the file claims to have.
 *
 * @param limit a limit in bytes or characters; a character takes at most four bytes
 * @throws WorkbenchError `over-limit`, and errors as of the file system: `EISDIR`, `ENOTFILE` (a device or pipe),
 *   `EOUTSIDE`, `ENOTOWN`
 */
export function readUserFile(file: string, limit: LimitName, options: ReadUserFileOptions = {}): Buffer {
  requireFile(fs.statSync(file), options);
  if (options.inside !== undefined && !isInside(options.inside, file)) {
    throw refusal('EOUTSIDE');
  }
  // It may have become a pipe since; opening one waits for its writer unless told not to.
  const handle = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  try {
    const found = fs.fstatSync(handle);
    requireFile(found, options);
    return readWithin(handle, found.size, file, limit);
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * Whether a file is in a folder after links are followed; of one that does not exist, where it would be.
 *
 * @param file absolute
 */
export function isInside(folder: string, file: string): boolean {
  const way = path.relative(fs.realpathSync(folder), realPath(file));
  return way.split(path.sep)[0] !== '..' && !path.isAbsolute(way);
}

/** Longer paths name nothing, on any system. */
const longestPath = 32_768;

function realPath(file: string): string {
  if (file.length > longestPath) {
    return file;
  }
  try {
    return fs.realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    if (parent === file) {
      return file;
    }
    // A link to nothing yet leads where it says.
    const link = linkOf(file);
    return link === undefined
      ? path.join(realPath(parent), path.basename(file))
      : realPath(path.resolve(realPath(parent), link));
  }
}

function linkOf(file: string): string | undefined {
  try {
    return fs.readlinkSync(file);
  } catch {
    return undefined;
  }
}

/** As {@link readUserFile}, as text. */
export function readUserText(file: string, limit: LimitName, options?: ReadUserFileOptions): string {
  return readUserFile(file, limit, options).toString('utf8');
}

/** The most bytes of a file for which a limit in bytes or characters holds. */
export function mostBytesOf(limit: LimitName): number {
  const { most, unit } = limits[limit];
  return unit.startsWith('characters') ? 4 * most : most;
}

function requireFile(found: fs.Stats, { isOwn }: ReadUserFileOptions): void {
  if (!found.isFile()) {
    throw refusal(found.isDirectory() ? 'EISDIR' : 'ENOTFILE');
  }
  if (isOwn === true && process.getuid !== undefined && found.uid !== process.getuid()) {
    throw refusal('ENOTOWN');
  }
}

function readWithin(handle: number, size: number, file: string, limit: LimitName): Buffer {
  const most = mostBytesOf(limit);
  if (size > most) {
    throw overLimitError(limit, { what: `The file ${file}` });
  }
  const parts: Buffer[] = [];
  let length = 0;
  // The files in /proc have no size, and any file can grow: one byte more than there should be is asked for.
  for (let next = size + 1; ; next = 65_536) {
    const part = Buffer.allocUnsafe(next);
    const read = fs.readSync(handle, part);
    parts.push(part.subarray(0, read));
    length += read;
    if (length > most) {
      throw overLimitError(limit, { what: `The file ${file}` });
    }
    // One that has a size ends where less is read than asked for.
    if (read === 0 || (size > 0 && read < next)) {
      return parts.length === 1 ? part.subarray(0, read) : Buffer.concat(parts);
    }
  }
}

function refusal(code: 'EISDIR' | 'ENOTFILE' | 'EOUTSIDE' | 'ENOTOWN'): Error {
  return Object.assign(new Error(`${code}: this file is not read`), { code });
}

/** Why reading a file failed, as the end of a sentence: "does not exist", "is a folder". */
export function readProblem(cause: unknown, isFolder = false): string {
  const { code = undefined } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
  switch (code) {
    case 'ENOTDIR':
      return isFolder ? 'is a file, not a folder' : 'does not exist';
    case 'ENOENT':
      return 'does not exist';
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'ENOTFILE':
      return 'is a device or a pipe, not a file';
    case 'ENOWRITER':
      return 'is a pipe to which nobody writes';
    case 'EOUTSIDE':
      return 'is outside its folder';
    case 'ENOTOWN':
      return 'belongs to another user';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read: permission denied';
    default:
      return code === undefined ? 'cannot be read' : `cannot be read (${code})`;
  }
}
