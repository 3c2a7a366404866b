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
  /** The line is in the file, though not yet synced. */
  written(position: JournalPosition): void;
  /** It is not: `journal-write-failed`, `journal-full`, `journal-closed`. */
  failed(error: Error): void;
}

interface Waiting {
  /** With its line break. */
  line: string;
  waiter: JournalWaiter;
}

/** In bytes: room for the lines of nearly every batch. */
const reusedBytes = 1024 * 1024;

/** Of UTF-8, for one of JavaScript's characters. */
const mostBytesPerCharacter = 3;

/** In characters. */
const maximumBatchLength = 4 * 1024 * 1024;

/** In characters. Beyond this the disk is too slow: what comes on top is refused at once. */
const maximumQueueLength = 64 * 1024 * 1024;

/** The lines that wait to be written. */
export class JournalQueue {
  readonly #log: Log;
  /** Fresh memory for each batch costs more than writing into it. One batch is under way at a time. */
  readonly #room = Buffer.allocUnsafeSlow(reusedBytes);
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
    return new JournalBatch(taken, this.#room, this.#log);
  }

  /** Refuses everything that waits. */
  fail(error: Error): void {
    const refused = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    refuse(refused, error, this.#log);
  }
}

/** Lines that are written together. */
export class JournalBatch {
  readonly bytes: Buffer;
  readonly #waiting: readonly Waiting[];
  readonly #isAscii: boolean;
  readonly #log: Log;

  /** @param room where the bytes are put if they fit; they hold until the next batch is taken */
  constructor(waiting: readonly Waiting[], room: Buffer, log: Log) {
    this.#waiting = waiting;
    this.#log = log;
    // One large text costs less than many small ones.
    const text = waiting.map(({ line }) => line).join('');
    this.bytes =
      text.length * mostBytesPerCharacter <= room.length
        ? room.subarray(0, room.write(text))
        : Buffer.from(text);
    this.#isAscii = this.bytes.length === text.length;
  }

  /** Counts the lines in and tells those who wait. */
  written(segment: Segment): void {
    for (const { line, waiter } of this.#waiting) {
      const length = this.#isAscii ? line.length : Buffer.byteLength(line);
      const position = { segment: segment.number, offset: segment.bytes, length };
      segment.bytes += length;
      segment.lines += 1;
      tell(() => waiter.written(position), this.#log);
    }
  }

  failed(error: Error): void {
    refuse(this.#waiting, error, this.#log);
  }
}

function refuse(waiting: readonly Waiting[], error: Error, log: Log): void {
  waiting.forEach(({ waiter }) => tell(() => waiter.failed(error), log));
}

/** A waiter that fails is not the journal's fault, nor that of the next one. */
function tell(call: () => void, log: Log): void {
  try {
    call();
  } catch (error) {
    log.error('A delivery could not be followed up', error);
  }
}
