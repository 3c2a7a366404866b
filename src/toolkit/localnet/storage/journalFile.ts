import * as fs from 'node:fs';
import path from 'node:path';
import { crc32c } from '../../cell/crc32c';
import type { Log } from '../../log';
import type { JournalEntry } from './journalEntry';
import { decodeEntry, encodeEntry } from './journalEntry';

/** The calls to the disk, as a parameter so that tests can let them fail. */
export type JournalDisk = Pick<
  typeof fs,
  | 'openSync'
  | 'writeSync'
  | 'fdatasync'
  | 'fdatasyncSync'
  | 'closeSync'
  | 'ftruncateSync'
  | 'readFileSync'
  | 'renameSync'
  | 'existsSync'
>;

const name = 'journal.log';
const magic = Buffer.from('TONWBJ2\n');
/** Length and CRC-32C in front of each entry. */
const frameSize = 8;
/** Milliseconds between a write and its fsync, at most. */
const syncDelay = 1_000;

/** An append-only file of entries that survives the death of its process at any moment. */
export class JournalFile {
  #file: number;
  #length: number;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly disk: JournalDisk,
    private readonly log: Log,
    private readonly path: string,
    file: number,
    length: number,
  ) {
    this.#file = file;
    this.#length = length;
  }

  /**
   * Opens the journal of a folder and gives every whole entry to `replay`. An entry cut short at the end was never
   * acknowledged and goes; a damaged file is kept under another name and its readable beginning used.
   */
  static open(
    folder: string,
    replay: (entry: JournalEntry) => void,
    log: Log,
    disk: JournalDisk = fs,
  ): JournalFile {
    const file = path.join(folder, name);
    const bytes = disk.existsSync(file) ? disk.readFileSync(file) : Buffer.alloc(0);
    const { end, damage } = readEntries(bytes, replay);
    if (damage !== undefined) {
      const aside = path.join(folder, `journal.damaged-${Date.now()}.log`);
      disk.renameSync(file, aside);
      log.warn(
        `The local network's journal is damaged (${damage}). It was kept as ${aside}; ${end} bytes of it could be read.`,
      );
    }
    const handle = disk.openSync(
      file,
      damage === undefined ? fs.constants.O_RDWR | fs.constants.O_CREAT : 'w+',
    );
    const journal = new JournalFile(disk, log, file, handle, 0);
    if (damage !== undefined || bytes.length === 0) {
      journal.#write(end === 0 ? magic : bytes.subarray(0, end));
    } else {
      journal.#length = end;
      if (end < bytes.length) {
        log.info(
          `${bytes.length - end} bytes of an unfinished entry at the end of the journal were dropped.`,
        );
        disk.ftruncateSync(handle, end);
      }
    }
    return journal;
  }

  /** Resolves nothing and returns when the operating system has the bytes. Throws when the disk refuses them. */
  append(entry: JournalEntry): void {
    this.#write(framed(entry));
  }

  /** Begins anew with these entries. Either all of them stand or, when the disk refuses, everything as before. */
  rewrite(entries: readonly JournalEntry[]): void {
    const aside = `${this.path}.new`;
    const file = this.disk.openSync(aside, 'w+');
    const before = { file: this.#file, length: this.#length };
    this.#file = file;
    this.#length = 0;
    try {
      this.#write(magic);
      entries.forEach((entry) => this.append(entry));
      this.disk.fdatasyncSync(file);
      this.disk.renameSync(aside, this.path);
    } catch (error) {
      this.#file = before.file;
      this.#length = before.length;
      this.disk.closeSync(file);
      throw error;
    }
    this.disk.closeSync(before.file);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.disk.fdatasyncSync(this.#file);
    this.disk.closeSync(this.#file);
  }

  #write(bytes: Buffer): void {
    try {
      for (let done = 0; done < bytes.length;) {
        done += this.disk.writeSync(this.#file, bytes, done, bytes.length - done, this.#length + done);
      }
    } catch (error) {
      // Half an entry must not stand in front of the next one.
      this.disk.ftruncateSync(this.#file, this.#length);
      throw error;
    }
    this.#length += bytes.length;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.disk.fdatasync(this.#file, (error) => {
        if (error !== null) {
          this.log.warn(`The journal could not be flushed to the disk: ${error.message}`);
        }
      });
    }, syncDelay).unref();
  }
}

/** An entry as it stands in the file. */
function framed(entry: JournalEntry): Buffer {
  const payload = encodeEntry(entry);
  const frame = Buffer.allocUnsafe(frameSize);
  frame.writeUInt32BE(payload.length, 0);
  frame.writeUInt32BE(crc32c(payload), 4);
  return Buffer.concat([frame, payload]);
}

/** Reads entries up to the first that is not whole; `damage` says when that is no mere cut at the end. */
function readEntries(bytes: Buffer, replay: (entry: JournalEntry) => void): { end: number; damage?: string } {
  if (bytes.length < magic.length) {
    return magic.subarray(0, bytes.length).equals(bytes) ? { end: 0 } : { end: 0, damage: 'not a journal' };
  }
  if (!bytes.subarray(0, magic.length).equals(magic)) {
    return { end: 0, damage: 'not a journal' };
  }
  let at = magic.length;
  while (at + frameSize <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const next = at + frameSize + length;
    if (next > bytes.length) {
      break;
    }
    const payload = bytes.subarray(at + frameSize, next);
    if (crc32c(payload) !== bytes.readUInt32BE(at + 4)) {
      return { end: at, damage: `wrong checksum at byte ${at}` };
    }
    try {
      replay(decodeEntry(payload));
    } catch (error) {
      return { end: at, damage: `${error instanceof Error ? error.message : String(error)} at byte ${at}` };
    }
    at = next;
  }
  return { end: at };
}
