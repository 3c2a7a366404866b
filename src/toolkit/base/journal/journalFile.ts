import path from 'node:path';
import { WorkbenchError } from '../errors';
import type { Clock } from '../time';
import type { JournalFinding, JournalPosition, ReadOptions } from './frames';
import {
  cutFinding,
  damageFinding,
  emptyFinding,
  frameBytes,
  frameHeaderSize,
  isBegunFileHeader,
  maximumFrames,
  newFileHeader,
  readFileHeader,
  readJournal,
  unreadableFinding,
} from './frames';
import type { JournalDisk } from './journalDisk';
import { keepAside } from './journalDisk';

export interface JournalFileOptions {
  path: string;
  disk: JournalDisk;
  clock: Clock;
  /** Called before each write; throws if this process must not write any more. */
  guard: () => void;
  /** Written data could not be flushed to the disk: a power failure would lose it. */
  onUnsynced: (error: unknown) => void;
}

/** Maximum milliseconds between a write and its fsync. */
const syncDelay = 1_000;

/** An append-only file of entries that survives the death of its process at any moment. */
export class JournalFile {
  readonly #options: JournalFileOptions;
  #handle: number;
  #id: Buffer;
  #length: number;
  /** Number of the next frame. */
  #number: number;
  #cancelSync: (() => void) | undefined;
  #syncing: Promise<void> = Promise.resolve();

  private constructor(options: JournalFileOptions, { handle, id, length, number }: OpenFile) {
    this.#options = options;
    this.#handle = handle;
    this.#id = id;
    this.#length = length;
    this.#number = number;
  }

  /**
   * Opens or creates a file and passes its entries to `onEntry`. An incomplete last entry was never acknowledged and
   * is dropped; a damaged file is kept under another name, and the readable entries are used.
   * @throws WorkbenchError `format-newer` (input)
   */
  static open(
    options: JournalFileOptions,
    readOptions: ReadOptions,
  ): { file: JournalFile; findings: JournalFinding[] } {
    const { disk } = options;
    if (!disk.exists(options.path)) {
      return { file: new JournalFile(options, begin(options, { head: newFileHeader() })), findings: [] };
    }
    const { open, finding } = take(options, readOptions, disk.readFile(options.path));
    return { file: new JournalFile(options, open), findings: finding === undefined ? [] : [finding] };
  }

  get path(): string {
    return this.#options.path;
  }

  /** Bytes, headers included. */
  get length(): number {
    return this.#length;
  }

  /** Writes entries: when it returns, the operating system has all of them. If it throws, none is stored. */
  append(payloads: readonly Buffer[]): JournalPosition[] {
    const bytes = this.#frames(payloads);
    try {
      for (let done = 0; done < bytes.length;) {
        done += this.#options.disk.write(this.#handle, bytes, done, this.#length + done);
      }
    } catch (error) {
      this.#cutBack();
      throw error;
    }
    return this.#advance(payloads);
  }

  /** Like {@link append}, without blocking this thread. One call at a time. */
  async appendLater(payloads: readonly Buffer[]): Promise<JournalPosition[]> {
    const bytes = this.#frames(payloads);
    try {
      for (let done = 0; done < bytes.length;) {
        done += await this.#options.disk.writeLater(this.#handle, bytes, done, this.#length + done);
      }
    } catch (error) {
      this.#cutBack();
      throw error;
    }
    return this.#advance(payloads);
  }

  /** The payload at a position. Throws if the disk does not return it. */
  read({ offset, length }: JournalPosition): Buffer {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length;) {
      const got = this.#options.disk.read(this.#handle, bytes.subarray(done), offset + done);
      if (got === 0) {
        throw new RangeError('the journal ends inside an entry');
      }
      done += got;
    }
    return bytes;
  }

  /** Replaces the contents with these entries. If the disk fails, everything stays as it was. */
  rewrite(payloads: readonly Buffer[]): void {
    this.#check();
    const before = this.#handle;
    const fresh = replace(this.#options, { head: newFileHeader(), payloads });
    this.#cancelSync?.();
    this.#cancelSync = undefined;
    ({ handle: this.#handle, id: this.#id, length: this.#length, number: this.#number } = fresh);
    // Nothing waits for the old file or depends on whether it can be closed.
    this.#syncing = this.#syncing.then(() => this.#options.disk.close(before)).catch(() => undefined);
  }

  /** Resolves once all writes are on the disk, or `onUnsynced` was told that they are not. */
  async flush(): Promise<void> {
    this.#syncSoon();
    await this.#syncing;
  }

  /** Flushes all writes and closes. */
  async close(): Promise<void> {
    await this.flush();
    this.#options.disk.close(this.#handle);
  }

  #frames(payloads: readonly Buffer[]): Buffer {
    this.#check();
    return frameBytes(this.#id, this.#number, payloads);
  }

  #check(): void {
    const { guard, disk } = this.#options;
    guard();
    if (disk.isDeleted(this.#handle)) {
      throw journalDeletedError(this.path);
    }
    if (this.#number >= maximumFrames) {
      throw new RangeError('the journal is full');
    }
  }

  #advance(payloads: readonly Buffer[]): JournalPosition[] {
    const positions = payloads.map(({ length }) => {
      const offset = this.#length + frameHeaderSize;
      this.#length = offset + length;
      return { offset, length };
    });
    this.#number += payloads.length;
    this.#cancelSync ??= this.#options.clock.after(syncDelay, () => this.#syncSoon(), false);
    return positions;
  }

  /** Half an entry must not stay. If it cannot be cut off, the next write overwrites it. */
  #cutBack(): void {
    try {
      this.#options.disk.truncate(this.#handle, this.#length);
    } catch {
      // The next start treats it as an incomplete entry.
    }
  }

  #syncSoon(): void {
    if (this.#cancelSync === undefined) {
      return;
    }
    this.#cancelSync?.();
    this.#cancelSync = undefined;
    const { disk, onUnsynced } = this.#options;
    const handle = this.#handle;
    this.#syncing = this.#syncing.then(() => disk.syncLater(handle)).catch(onUnsynced);
  }
}

interface OpenFile {
  handle: number;
  id: Buffer;
  length: number;
  number: number;
}

/** The beginning of a new file: a header, or an intact beginning with its frames, and entries that follow. */
interface Beginning {
  head: Buffer;
  frames?: number;
  payloads?: readonly Buffer[];
}

function take(
  options: JournalFileOptions,
  readOptions: ReadOptions,
  bytes: Buffer,
): { open: OpenFile; finding?: JournalFinding } {
  const { disk } = options;
  const name = path.basename(options.path);
  const id = readFileHeader(bytes, options.path);
  if (id === undefined) {
    const open = (): OpenFile => replace(options, { head: newFileHeader() });
    return isBegunFileHeader(bytes)
      ? { open: open(), finding: emptyFinding(name, bytes.length) }
      : keepingAside(options, 'unreadable', open, (keptAs) => unreadableFinding(name, keptAs));
  }
  const reading = readJournal(bytes, id, readOptions);
  const { end, frames, cut, damage } = reading;
  if (damage !== undefined) {
    const beginning = { head: bytes.subarray(0, end), frames, payloads: damage.rescued };
    return keepingAside(
      options,
      'damaged',
      () => replace(options, beginning),
      (keptAs) => damageFinding(name, reading, keptAs),
    );
  }
  const open = { handle: disk.open(options.path, false), id: Buffer.from(id), length: end, number: frames };
  if (cut === undefined) {
    return { open };
  }
  disk.truncate(open.handle, end);
  return { open, finding: cutFinding(name, bytes.length - end, cut.missing) };
}

function keepingAside(
  options: JournalFileOptions,
  why: 'damaged' | 'unreadable',
  work: () => OpenFile,
  finding: (keptAs: string) => JournalFinding,
): { open: OpenFile; finding: JournalFinding } {
  const keptAs = keepAside(options.path, why, options);
  try {
    return { open: work(), finding: finding(keptAs) };
  } catch (error) {
    // The file itself is still in place.
    options.disk.remove(keptAs);
    throw error;
  }
}

/** Replaces the old file with a new one atomically. */
function replace(options: JournalFileOptions, beginning: Beginning): OpenFile {
  const { disk } = options;
  const fresh = `${options.path}.new`;
  const open = begin(options, beginning, fresh);
  try {
    disk.rename(fresh, options.path);
  } catch (error) {
    disk.close(open.handle);
    disk.remove(fresh);
    throw error;
  }
  disk.syncFolder(path.dirname(options.path));
  return open;
}

/** Creates a file; leaves nothing behind if the disk fails. */
function begin(
  { disk, path: place }: JournalFileOptions,
  { head, frames = 0, payloads = [] }: Beginning,
  name = place,
): OpenFile {
  const id = Buffer.from(readFileHeader(head, place) as Buffer);
  const bytes = payloads.length === 0 ? head : Buffer.concat([head, frameBytes(id, frames, payloads)]);
  const handle = disk.open(name, true);
  try {
    for (let done = 0; done < bytes.length;) {
      done += disk.write(handle, bytes, done, done);
    }
    disk.sync(handle);
  } catch (error) {
    disk.close(handle);
    disk.remove(name);
    throw error;
  }
  return { handle, id, length: bytes.length, number: frames + payloads.length };
}

/** The file was deleted while in use: further writes would be lost. */
function journalDeletedError(file: string): WorkbenchError {
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
