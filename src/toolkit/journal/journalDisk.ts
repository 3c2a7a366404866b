import * as fs from 'node:fs';
import path from 'node:path';
import { readUserFile } from '../readUserFile';
import { makeFolder } from './makeFolder';

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
