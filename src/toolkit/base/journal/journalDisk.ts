import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import { readUserFile } from '../readUserFile';
import type { Clock } from '../time';

/** How much a {@link CacheFolder} keeps; the oldest entries are removed first. */
export interface CacheLimits {
  bytes: number;
  entries: number;
}

const checksumBytes = 32;

/**
 * A folder of the user's own for what can be made again: it may be deleted at any time, and several processes may use it
 * at once. Nothing here throws: without a folder that can be used, for example on a full or read-only disk, nothing is
 * found and nothing is kept.
 */
export class CacheFolder {
  constructor(
    private readonly folder: string,
    private readonly limits: CacheLimits,
  ) {}

  /**
   * An entry as it was written; undefined if it is not there, or not whole.
   * @param name a file name
   */
  read(name: string): Buffer | undefined {
    try {
      const bytes = isOwnFolder(this.folder)
        ? readUserFile(path.join(this.folder, name), 'compileCache')
        : undefined;
      const content = bytes?.subarray(checksumBytes);
      return content && checksum(name, content).equals(bytes!.subarray(0, checksumBytes))
        ? content
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes an entry in one step for every reader, then removes the oldest ones beyond the limits. */
  write(name: string, content: Uint8Array): void {
    const fresh = path.join(this.folder, `${randomUUID()}.tmp`);
    try {
      makeFolder(this.folder);
      if (isOwnFolder(this.folder)) {
        fs.writeFileSync(fresh, Buffer.concat([checksum(name, content), content]), {
          flag: 'wx',
          mode: 0o600,
        });
        fs.renameSync(fresh, path.join(this.folder, name));
        this.#removeOldest();
      }
    } catch {
      remove(fresh);
    }
  }

  #removeOldest(): void {
    const files = fs.readdirSync(this.folder).flatMap((name) => {
      const file = path.join(this.folder, name);
      const state = fs.statSync(file, { throwIfNoEntry: false });
      return state?.isFile() === true ? [{ file, size: state.size, time: state.mtimeMs }] : [];
    });
    let [entries, bytes] = [0, 0];
    for (const { file, size } of files.sort((a, b) => b.time - a.time)) {
      entries += 1;
      bytes += size;
      if (entries > this.limits.entries || bytes > this.limits.bytes) {
        remove(file);
      }
    }
  }
}

/** The name is covered, too: an entry is not true under another one. */
function checksum(name: string, content: Uint8Array): Buffer {
  return createHash('sha256').update(`${name}\n`).update(content).digest();
}

/** A folder that others can write to is not used, nor is a link to another one. */
function isOwnFolder(folder: string): boolean {
  const state = fs.lstatSync(folder);
  const user = process.getuid?.();
  return state.isDirectory() && (user === undefined || (state.uid === user && (state.mode & 0o022) === 0));
}

function remove(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // Another process removes it later.
  }
}

/**
 * Makes a folder of the user's own, with its parents. By hand: Node's own `recursive` never ends where a file system allows
 * no folders, as in /proc.
 * @throws the file system's errors
 */
export function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(folder);
    if (code === 'ENOENT' && parent !== folder && !fs.existsSync(parent)) {
      makeFolder(parent);
      fs.mkdirSync(folder, { mode: 0o700 });
    } else if (code !== 'EEXIST') {
      throw error;
    } else if (!fs.statSync(folder).isDirectory()) {
      throw Object.assign(new Error('it exists and is no folder', { cause: error }), { code: 'ENOTDIR' });
    }
  }
}

/** The calls to the disk, as a parameter so that tests can make them fail. Files are readable by their owner only. */
export interface JournalDisk {
  makeFolder(folder: string): void;
  list(folder: string): string[];
  exists(file: string): boolean;
  readFile(file: string): Buffer;
  /** Opens a file for reading and writing: an existing one, or with `create` a new or emptied one. */
  open(file: string, create: boolean): number;
  read(handle: number, bytes: Buffer, position: number): number;
  /** May write less than asked, as the system call does. */
  write(handle: number, bytes: Buffer, offset: number, position: number): number;
  writeLater(handle: number, bytes: Buffer, offset: number, position: number): Promise<number>;
  truncate(handle: number, length: number): void;
  sync(handle: number): void;
  syncLater(handle: number): Promise<void>;
  close(handle: number): void;
  /** Whether the open file was deleted. */
  isDeleted(handle: number): boolean;
  /** Gives a file a second name; fails if that exists. */
  link(file: string, name: string): void;
  rename(from: string, to: string): void;
  /** Makes a file readable only by its owner, if the system supports that. */
  protect(file: string): void;
  remove(file: string): void;
  /** Makes new names in a folder survive a power failure, if the system can. */
  syncFolder(folder: string): void;
}

const ownerOnly = 0o600;

/** The machine's own disk. */
export const nodeDisk: JournalDisk = {
  makeFolder,
  list: (folder) => fs.readdirSync(folder),
  exists: (file) => fs.existsSync(file),
  readFile: (file) => readUserFile(file, 'journalFile'),
  open: (file, create) => {
    const handle = fs.openSync(file, create ? 'w+' : 'r+', ownerOnly);
    // A file of an earlier version, or one copied here, may be world-readable.
    nodeDisk.protect(file);
    return handle;
  },
  read: (handle, bytes, position) => fs.readSync(handle, bytes, 0, bytes.length, position),
  write: (handle, bytes, offset, position) =>
    fs.writeSync(handle, bytes, offset, bytes.length - offset, position),
  writeLater: (handle, bytes, offset, position) =>
    new Promise((resolve, reject) =>
      fs.write(handle, bytes, offset, bytes.length - offset, position, (error, written) =>
        error === null ? resolve(written) : reject(error),
      ),
    ),
  truncate: (handle, length) => fs.ftruncateSync(handle, length),
  sync: (handle) => fs.fdatasyncSync(handle),
  syncLater: (handle) =>
    new Promise((resolve, reject) =>
      fs.fdatasync(handle, (error) => (error === null ? resolve() : reject(error))),
    ),
  close: (handle) => fs.closeSync(handle),
  isDeleted: (handle) => fs.fstatSync(handle).nlink === 0,
  link: linkOrCopy,
  rename: (from, to) => fs.renameSync(from, to),
  protect: (file) => {
    try {
      fs.chmodSync(file, ownerOnly);
    } catch {
      // A file system without modes, or another user's file: it can still be written.
    }
  },
  remove: (file) => fs.rmSync(file, { force: true }),
  syncFolder: (folder) => {
    try {
      const handle = fs.openSync(path.resolve(folder), 'r');
      fs.fsyncSync(handle);
      fs.closeSync(handle);
    } catch {
      // Windows cannot open folders; there the file system itself journals names.
    }
  },
};

function linkOrCopy(file: string, name: string): void {
  try {
    fs.linkSync(file, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw error;
    }
    // A file system without hard links.
    fs.copyFileSync(file, name, fs.constants.COPYFILE_EXCL);
  }
}

/**
 * Links a file to a second name in the same folder, `journal.damaged-1800000000000.log`, so that it survives
 * being replaced. Returns that name.
 */
export function keepAside(
  file: string,
  why: 'damaged' | 'unreadable',
  { disk, clock }: { disk: JournalDisk; clock: Clock },
): string {
  const { dir, name, ext } = path.parse(file);
  for (let moment = clock.now(); ; moment += 1) {
    const aside = path.join(dir, `${name}.${why}-${moment}${ext}`);
    try {
      disk.link(file, aside);
      disk.protect(aside);
      return aside;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
  }
}
