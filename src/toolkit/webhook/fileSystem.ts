import { mkdir, open, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';

/** An open file of the journal. */
export interface JournalFile {
  /** May write less than asked, as the system call does. */
  write(bytes: Buffer, offset: number, length: number): Promise<{ bytesWritten: number }>;
  read(bytes: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  truncate(length: number): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** What the journal asks of a file system: a parameter, so that tests can fill the disk. */
export interface JournalFileSystem {
  mkdir(path: string, options: { recursive: true; mode: number }): Promise<unknown>;
  readdir(path: string): Promise<string[]>;
  readFile(path: string): Promise<Buffer>;
  /** `wx` fails when the file exists. */
  writeFile(path: string, data: Buffer | string, options: { flag: 'w' | 'wx'; mode: number }): Promise<void>;
  open(path: string, flags: 'a' | 'r' | 'r+', mode: number): Promise<JournalFile>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

/** The machine's own file system. */
export const nodeFileSystem: JournalFileSystem = {
  mkdir,
  readdir: (path) => readdir(path),
  readFile: (path) => readFile(path),
  writeFile,
  open,
  rename,
  unlink,
};

/** For deleting and reading what need not be there. */
export function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}
