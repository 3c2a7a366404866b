import path from 'node:path';
import { WorkbenchError } from '../../base/errors';
import type { JournalDisk } from '../../base/journal/journalDisk';
import { JournalFile } from '../../base/journal/journalFile';
import { limits } from '../../base/limits';
import type { Log } from '../../base/log';
import type { Clock } from '../../base/time';
import { listSegments, segmentName } from './deliveryEntry';
import type { EntryPosition, JournalBatch, JournalWaiter } from './journalQueue';
import { JournalQueue, journalClosedError, journalWriteError } from './journalQueue';

/** The journal's limits. The oldest segments are dropped first, as a whole. */
export interface JournalLimits {
  /** Bytes on disk, all segments together. */
  maximumBytes: number;
  /** Entries, all segments together. */
  maximumEntries: number;
}

/** The limits of a journal of deliveries. */
export const defaultJournalLimits: JournalLimits = {
  maximumBytes: limits.webhookJournal.most,
  maximumEntries: limits.webhookDeliveries.most,
};

export interface JournalOptions {
  directory: string;
  limits: JournalLimits;
  disk: JournalDisk;
  clock: Clock;
  log: Log;
  /** Throws if the folder is no longer ours. */
  guard: () => void;
  /** Called for every entry found when opening; throws if it is not one of ours. */
  onEntry: (payload: Buffer, position: EntryPosition) => void;
  /** Called before a segment is deleted, so that what must outlive it can be carried over. */
  onDrop: (segment: number) => Promise<void>;
}

/** One file of the journal. */
interface Segment {
  number: number;
  file: JournalFile;
  entries: number;
}

/** Segments of a full journal: one is dropped at a time. */
const segmentShare = 8;

/**
 * An append-only journal in segments, each a {@link JournalFile}. When its waiter is called, an entry is in the file,
 * though not yet synced, so it survives any end of the process.
 *
 * Entries that arrive in one turn of the event loop, or during a write, are written together. If a write fails,
 * everything waiting fails with it: no entry is acknowledged and then lost.
 */
export class Journal {
  /** Problems found when opening, as text. */
  readonly findings: string[] = [];
  readonly #options: JournalOptions;
  readonly #segments: Segment[] = [];
  readonly #queue: JournalQueue;
  #last = 0;
  #work: Promise<void> | undefined;
  #background: Promise<void> = Promise.resolve();
  #closed = false;

  private constructor(options: JournalOptions) {
    this.#options = options;
    this.#queue = new JournalQueue(options.log);
  }

  /** Opens a folder's journal. Damaged data is kept under another name and reported in {@link findings}. */
  static async open(options: JournalOptions): Promise<Journal> {
    const journal = new Journal(options);
    try {
      listSegments(options.directory, options.disk).forEach((number) => journal.#open(number));
      return journal;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  /** Bytes and entries stored. */
  get size(): { bytes: number; entries: number } {
    return {
      bytes: this.#segments.reduce((sum, { file }) => sum + file.length, 0),
      entries: this.#segments.reduce((sum, { entries }) => sum + entries, 0),
    };
  }

  /** Writes an entry and tells the waiter. */
  append(payload: Buffer, waiter: JournalWaiter): void {
    if (this.#closed) {
      waiter.failed(journalClosedError());
      return;
    }
    this.#queue.add(payload, waiter);
    this.#work ??= this.#writeSoon();
  }

  /** The entry at a position; undefined if its segment is gone. */
  read(position: EntryPosition): Buffer | undefined {
    return this.#segments.find(({ number }) => number === position.segment)?.file.read(position);
  }

  /**
   * Deletes every segment, and lets `also` delete related data. Entries that arrive meanwhile are written afterward.
   */
  async clear(also: () => void): Promise<void> {
    await this.#settled();
    const deleted = this.#deleteSegments().then(also);
    this.#work = deleted.then(
      () => this.#writeQueue(),
      () => this.#writeQueue(),
    );
    await deleted;
  }

  /** Writes waiting entries, syncs, and closes. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#settled();
    await this.#background;
    await Promise.all(this.#segments.map(({ file }) => file.close()));
  }

  async #deleteSegments(): Promise<void> {
    await this.#background;
    this.#options.guard();
    for (const segment of this.#segments.splice(0)) {
      await this.#delete(segment);
    }
  }

  async #settled(): Promise<void> {
    while (this.#work !== undefined) {
      await this.#work;
    }
  }

  /** Deferred until everything from this turn of the event loop is queued: one write for all. */
  async #writeSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await this.#writeQueue();
  }

  async #writeQueue(): Promise<void> {
    while (!this.#queue.isEmpty) {
      const batch = this.#queue.take();
      try {
        await this.#writeBatch(batch);
      } catch (cause) {
        const error = WorkbenchError.is(cause) ? cause : journalWriteError(cause);
        this.#options.log.error('The journal could not be written', cause);
        batch.failed(error);
        this.#queue.fail(error);
      }
    }
    this.#work = undefined;
  }

  async #writeBatch(batch: JournalBatch): Promise<void> {
    const { payloads } = batch;
    const segment = this.#segmentToWrite();
    const positions = await segment.file.appendLater(payloads);
    segment.entries += payloads.length;
    batch.written(segment.number, positions);
  }

  /** If the current segment is full, begins a new one and drops old ones. */
  #segmentToWrite(): Segment {
    const { maximumBytes, maximumEntries } = this.#options.limits;
    const segment = this.#segments.at(-1);
    if (
      segment !== undefined &&
      segment.file.length < maximumBytes / segmentShare &&
      segment.entries < maximumEntries / segmentShare
    ) {
      return segment;
    }
    this.#options.guard();
    const fresh = this.#open(this.#last + 1);
    this.#dropOld();
    return fresh;
  }

  #open(number: number): Segment {
    const { directory, disk, clock, log, guard, onEntry } = this.#options;
    let entries = 0;
    const { file, findings } = JournalFile.open(
      {
        ...{ path: path.join(directory, segmentName(number)), disk, clock, guard },
        onUnsynced: (error) => log.error('The journal could not be synced to disk', error),
      },
      {
        onEntry: (payload, position) => {
          onEntry(payload, { segment: number, ...position });
          entries += 1;
        },
        afterDamage: 'skip',
      },
    );
    const segment = { number, file, entries };
    this.#segments.push(segment);
    this.#last = number;
    this.findings.push(...findings.map(({ text }) => text));
    return segment;
  }

  /**
   * Forgets the oldest segments at once; their files are deleted in the background, after what must outlive them is
   * carried over.
   */
  #dropOld(): void {
    const { limits, onDrop } = this.#options;
    const share = 1 - 1 / segmentShare;
    while (
      this.#segments.length > 1 &&
      (this.size.bytes > limits.maximumBytes * share || this.size.entries > limits.maximumEntries * share)
    ) {
      const segment = this.#segments.shift() as Segment;
      this.#inBackground(
        onDrop(segment.number).then(
          () => this.#delete(segment),
          async (error: unknown) => {
            await segment.file.close();
            throw error;
          },
        ),
      );
    }
  }

  async #delete({ file }: Segment): Promise<void> {
    await file.close();
    this.#options.guard();
    this.#options.disk.remove(file.path);
  }

  #inBackground(work: Promise<void>): void {
    this.#background = Promise.all([this.#background, work]).then(
      () => undefined,
      (error: unknown) => this.#options.log.error('An old journal file could not be deleted', error),
    );
  }
}
