import type { Log } from '../log';
import { journalFullError } from './journalErrors';
import type { Segment } from './readSegment';

/** Where a line stands. */
export interface JournalPosition {
  segment: number;
  offset: number;
  /** Bytes, line break included. */
  length: number;
}

/** Who waits for a line. Plain calls: a promise for each line would cost more than the line. */
export interface JournalWaiter {
  /**
   * The line is in the file, though not yet synced.
   * @param batch the bytes of all lines that went out together; undefined where these are long, so that who keeps one
   * short line does not keep megabytes with it
   * @param start where the line begins in `batch`
   */
  written(position: JournalPosition, batch: Buffer | undefined, start: number): void;
  /** It is not: `journal-write-failed`, `journal-full`, `journal-closed`. */
  failed(error: Error): void;
}

interface Waiting {
  /** With its line break. */
  line: string;
  waiter: JournalWaiter;
}

/** In bytes. */
const shortLine = 4_096;

/** In characters. */
const maximumBatchLength = 4 * 1024 * 1024;

/** In characters. Beyond this the disk is too slow: what comes on top is refused at once. */
const maximumQueueLength = 64 * 1024 * 1024;

/** The lines that wait to be written. */
export class JournalQueue {
  readonly #log: Log;
  #waiting: Waiting[] = [];
  #length = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** @param line without its line break */
  add(line: string, waiter: JournalWaiter): void {
    if (this.#length + line.length > maximumQueueLength) {
      waiter.failed(journalFullError());
      return;
    }
    this.#waiting.push({ line: `${line}\n`, waiter });
    this.#length += line.length + 1;
  }

  /** Takes the lines that go out together. */
  take(): JournalBatch {
    const taken = this.#waiting;
    let length = 0;
    let count = 0;
    for (const { line } of taken) {
      if (count > 0 && length + line.length > maximumBatchLength) {
        break;
      }
      length += line.length;
      count += 1;
    }
    this.#length -= length;
    this.#waiting = taken.splice(count);
    return new JournalBatch(taken, this.#log);
  }

  /** Refuses everything that waits. */
  fail(error: Error): void {
    const failed = new JournalBatch(this.#waiting, this.#log);
    this.#waiting = [];
    this.#length = 0;
    failed.failed(error);
  }
}

/** Lines that are written together. */
export class JournalBatch {
  readonly bytes: Buffer;
  readonly #waiting: readonly Waiting[];
  readonly #isAscii: boolean;
  readonly #log: Log;

  constructor(waiting: readonly Waiting[], log: Log) {
    this.#waiting = waiting;
    this.#log = log;
    // One large buffer costs less than many small ones.
    const text = waiting.map(({ line }) => line).join('');
    this.bytes = Buffer.from(text, 'utf8');
    this.#isAscii = this.bytes.length === text.length;
  }

  /** Counts the lines in and tells those who wait. */
  written(segment: Segment): void {
    const kept = this.bytes.length <= shortLine * this.#waiting.length ? this.bytes : undefined;
    let start = 0;
    for (const { line, waiter } of this.#waiting) {
      const length = this.#isAscii ? line.length : Buffer.byteLength(line);
      const position = { segment: segment.number, offset: segment.bytes, length };
      const from = start;
      start += length;
      segment.bytes += length;
      segment.lines += 1;
      this.#tell(() => waiter.written(position, kept, from));
    }
  }

  failed(error: Error): void {
    this.#waiting.forEach(({ waiter }) => this.#tell(() => waiter.failed(error)));
  }

  /** A waiter that fails is not the journal's fault, nor that of the next one. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log.error('A delivery could not be followed up', error);
    }
  }
}
