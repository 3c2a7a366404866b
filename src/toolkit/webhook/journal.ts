import path from 'node:path';
import type { Log } from '../log';
import type { Clock } from '../time';
import { ignoreMissing } from './fileSystem';
import type { JournalFile, JournalFileSystem } from './fileSystem';
import { journalClosedError, journalWriteError } from './journalErrors';
import { JournalQueue } from './journalQueue';
import type { JournalBatch, JournalPosition, JournalWaiter } from './journalQueue';
import { listSegments, readSegment, segmentName } from './readSegment';
import type { Segment } from './readSegment';

/** How much the journal keeps. The oldest segments go first, whole. */
export interface JournalLimits {
  /** Bytes on disk, all segments together. */
  maximumBytes: number;
  /** Lines, all segments together. */
  maximumLines: number;
}

export interface JournalOptions {
  directory: string;
  limits: JournalLimits;
  fileSystem: JournalFileSystem;
  clock: Clock;
  log: Log;
  /** Called for every line found when opening; throws when it is not a line of ours. */
  onLine: (line: string, position: JournalPosition) => void;
  /** Called before a segment is deleted, so that what must outlive it can be carried over. */
  onDrop: (segment: number) => Promise<void>;
}

/** Longest time a written line may wait for its fsync. */
const syncDelayMs = 1_000;

/** Segments of a full journal: one is dropped at a time. */
const segmentShare = 8;

/**
 * An append-only file of JSON lines in segments. A line is in the file, though not yet synced, when its waiter is told,
 * so it survives the end of the process by any means; the disk is synced at most a second later and when closing.
 *
 * Lines that arrive in one turn of the event loop, or while a write is under way, go out together in one write. When a write fails, the file is cut back to
 * where it was and everything waiting is refused with it: nothing is acknowledged on the strength of a line that is lost.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #segments: Segment[] = [];
  readonly #queue: JournalQueue;
  #file: JournalFile | undefined;
  #work: Promise<void> | undefined;
  #background: Promise<void> = Promise.resolve();
  #sync: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: JournalOptions) {
    this.#options = options;
    this.#queue = new JournalQueue(options.log);
  }

  /** Opens or creates the journal; a damaged tail is set aside beside it. */
  static async open(options: JournalOptions): Promise<Journal> {
    const journal = new Journal(options);
    const { directory, fileSystem } = options;
    await fileSystem.mkdir(directory, { recursive: true, mode: 0o700 });
    for (const number of await listSegments(directory, fileSystem)) {
      const file = path.join(directory, segmentName(number));
      const found = await readSegment(file, fileSystem, options.clock, options.log, (line, offset, length) =>
        options.onLine(line, { segment: number, offset, length }),
      );
      journal.#segments.push({ number, ...found });
    }
    return journal;
  }

  /** Bytes and lines kept. */
  get size(): { bytes: number; lines: number } {
    return {
      bytes: this.#segments.reduce((sum, segment) => sum + segment.bytes, 0),
      lines: this.#segments.reduce((sum, segment) => sum + segment.lines, 0),
    };
  }

  /** Writes a line, given without its line break, and tells the waiter. */
  append(line: string, waiter: JournalWaiter): void {
    if (this.#closed) {
      waiter.failed(journalClosedError());
      return;
    }
    this.#queue.add(line, waiter);
    this.#work ??= this.#writeSoon();
  }

  /** The line at a position. */
  async read(position: JournalPosition): Promise<string> {
    const file = await this.#options.fileSystem.open(this.#path(position.segment), 'r', 0o600);
    try {
      const bytes = Buffer.alloc(position.length - 1);
      await file.read(bytes, 0, bytes.length, position.offset);
      return bytes.toString('utf8');
    } finally {
      await file.close();
    }
  }

  /** Deletes every segment, and lets `also` delete what belongs to them. Lines that arrive meanwhile come after it. */
  async clear(also: () => Promise<void>): Promise<void> {
    await this.#settled();
    const deleted = this.#deleteSegments().then(also);
    this.#work = deleted.then(
      () => this.#writeQueue(),
      () => this.#writeQueue(),
    );
    await deleted;
  }

  /** Writes what waits, syncs and closes. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#settled();
    this.#leaveSegment();
    await this.#background;
  }

  async #deleteSegments(): Promise<void> {
    this.#leaveSegment();
    await this.#background;
    const next = (this.#segments.at(-1)?.number ?? 0) + 1;
    for (const segment of this.#segments.splice(0)) {
      await this.#options.fileSystem.unlink(this.#path(segment.number)).catch(ignoreMissing);
    }
    this.#segments.push({ number: next, bytes: 0, lines: 0 });
  }

  async #settled(): Promise<void> {
    while (this.#work !== undefined) {
      await this.#work;
    }
  }

  /** Once all that this turn of the event loop brings is in the queue: it goes out in one write. */
  async #writeSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await this.#writeQueue();
  }

  async #writeQueue(): Promise<void> {
    while (!this.#queue.isEmpty) {
      const batch = this.#queue.take();
      try {
        const segment = await this.#writeBatch(batch);
        batch.written(segment);
      } catch (cause) {
        const error = journalWriteError(cause);
        this.#options.log.error('The journal could not be written', cause);
        batch.failed(error);
        this.#queue.fail(error);
        await this.#cutBack();
      }
    }
    this.#work = undefined;
  }

  async #writeBatch({ bytes }: JournalBatch): Promise<Segment> {
    const { file, segment } = await this.#openSegment();
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await file.write(bytes, written, bytes.length - written);
      written += bytesWritten;
    }
    this.#sync ??= setTimeout(() => {
      this.#sync = undefined;
      void this.#syncNow(file);
    }, syncDelayMs);
    return segment;
  }

  /** The segment to write to; begins a new one, and drops old ones, when the current one is full. */
  async #openSegment(): Promise<{ file: JournalFile; segment: Segment }> {
    const { limits, fileSystem } = this.#options;
    let segment = this.#segments.at(-1);
    const isFull =
      segment !== undefined &&
      (segment.bytes >= limits.maximumBytes / segmentShare ||
        segment.lines >= limits.maximumLines / segmentShare);
    if (segment === undefined || isFull) {
      segment = { number: (segment?.number ?? 0) + 1, bytes: 0, lines: 0 };
      this.#leaveSegment();
      this.#segments.push(segment);
      this.#dropOld();
    }
    this.#file ??= await fileSystem.open(this.#path(segment.number), 'a', 0o600);
    return { file: this.#file, segment };
  }

  /** Syncs and closes the file written so far, without holding up the next one. */
  #leaveSegment(): void {
    const file = this.#file;
    this.#file = undefined;
    clearTimeout(this.#sync);
    this.#sync = undefined;
    if (file !== undefined) {
      this.#inBackground(this.#syncNow(file).then(() => file.close()));
    }
  }

  /** Forgets the oldest segments at once; their files go in the background, after what must outlive them is carried over. */
  #dropOld(): void {
    const { limits, fileSystem, onDrop } = this.#options;
    const share = 1 - 1 / segmentShare;
    while (
      this.#segments.length > 1 &&
      (this.size.bytes > limits.maximumBytes * share || this.size.lines > limits.maximumLines * share)
    ) {
      const { number } = this.#segments.shift() as Segment;
      this.#inBackground(
        onDrop(number).then(() => fileSystem.unlink(this.#path(number)).catch(ignoreMissing)),
      );
    }
  }

  #inBackground(work: Promise<void>): void {
    this.#background = Promise.all([this.#background, work]).then(
      () => undefined,
      (error: unknown) => this.#options.log.error('An old file of the journal stays', error),
    );
  }

  /** After a failed write part of a line may stand in the file. Where it cannot be cut off, a new segment is begun. */
  async #cutBack(): Promise<void> {
    const segment = this.#segments.at(-1);
    if (segment === undefined || this.#file === undefined) {
      return;
    }
    try {
      await this.#file.truncate(segment.bytes);
    } catch (error) {
      this.#options.log.warn(`A damaged tail stays in ${segmentName(segment.number)}: ${String(error)}`);
      this.#leaveSegment();
      this.#segments.push({ number: segment.number + 1, bytes: 0, lines: 0 });
    }
  }

  async #syncNow(file: JournalFile): Promise<void> {
    try {
      await file.datasync();
    } catch (error) {
      this.#options.log.error('The journal could not be synced to disk', error);
    }
  }

  #path(segment: number): string {
    return path.join(this.#options.directory, segmentName(segment));
  }
}
