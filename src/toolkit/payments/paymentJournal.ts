import path from 'node:path';
import { WorkbenchError } from '../base/errors';
import { FolderLock } from '../base/journal/folderLock';
import { nodeDisk } from '../base/journal/journalDisk';
import type { JournalDisk } from '../base/journal/journalDisk';
import { JournalFile } from '../base/journal/journalFile';
import type { Log } from '../base/log';
import type { Clock } from '../base/time';
import { journalClosedError, journalInUseError, journalUnusableError } from '../webhook/journal/journalQueue';

export interface PaymentJournalOptions {
  directory: string;
  clock: Clock;
  log: Log;
  disk?: JournalDisk | undefined;
  /** A thread of this process has left the folder locked. */
  afterCrash?: boolean | undefined;
  /** Called for every entry found, oldest first; throws if it is not one of ours. */
  onEntry: (entry: unknown) => void;
}

interface WaitingEntry {
  entry: unknown;
  written: () => void;
  failed: (error: unknown) => void;
}

const fileName = 'payments.log';

/**
 * The one file of payments. Entries of one turn of the event loop are written together: as one JSON list, since framing
 * each would cost as much as making it. A file may have single entries, too.
 */
export class PaymentJournal {
  /** Problems found when opening, as text. */
  readonly findings: readonly string[];
  readonly #lock: FolderLock;
  readonly #file: JournalFile;
  #waiting: WaitingEntry[] = [];
  #work: Promise<void> | undefined;
  #closed = false;

  private constructor(lock: FolderLock, file: JournalFile, findings: readonly string[]) {
    this.#lock = lock;
    this.#file = file;
    this.findings = findings;
  }

  /**
   * Locks a folder and opens its journal.
   * @throws WorkbenchError `journal-in-use`, `journal-unusable` (input)
   */
  static async open(options: PaymentJournalOptions): Promise<PaymentJournal> {
    const { directory, clock, log, disk = nodeDisk, onEntry } = options;
    let lock: FolderLock | undefined;
    try {
      disk.makeFolder(directory);
      lock = await FolderLock.take(directory, {
        inUse: (holder, state) => journalInUseError(directory, holder, state),
        clock,
        afterCrash: options.afterCrash,
      });
      const held = lock;
      const { file, findings } = JournalFile.open(
        {
          ...{ path: path.join(directory, fileName), disk, clock, guard: () => held.assertHeld() },
          onUnsynced: (error) => log.error('Payments could not be synced to disk', error),
        },
        {
          onEntry: (payload) => {
            const read: unknown = JSON.parse(payload.toString('utf8'));
            (Array.isArray(read) ? read : [read]).forEach(onEntry);
          },
          afterDamage: 'skip',
        },
      );
      const texts = findings.map(({ text }) => text);
      texts.forEach((text) => log.warn(`Payments: ${text}`));
      return new PaymentJournal(lock, file, texts);
    } catch (cause) {
      lock?.release();
      throw WorkbenchError.is(cause) ? cause : journalUnusableError(directory, cause);
    }
  }

  /**
   * Resolves once the entry is in the file: it survives any end of the process.
   * @throws WorkbenchError `journal-write-failed`, `folder-lock-lost`, `journal-deleted`, `journal-closed`
   */
  append(entry: unknown): Promise<void> {
    if (this.#closed) {
      return Promise.reject(journalClosedError());
    }
    return new Promise((written, failed) => {
      this.#waiting.push({ entry, written, failed });
      this.#work ??= this.#write();
    });
  }

  /** Replaces everything by these entries. Only before the first append. */
  rewrite(entries: readonly unknown[]): void {
    this.#file.rewrite(entries.map(toPayload));
  }

  /** Writes what waits, syncs, and releases the folder. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#work;
    await this.#file.close();
    this.#lock.release();
  }

  async #write(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        this.#file.append([toPayload(batch.map(({ entry }) => entry))]);
        batch.forEach(({ written }) => written());
      } catch (cause) {
        const error = WorkbenchError.is(cause) ? cause : paymentsUnwritableError(cause);
        batch.forEach(({ failed }) => failed(error));
      }
    }
    this.#work = undefined;
  }
}

function toPayload(entry: unknown): Buffer {
  return Buffer.from(JSON.stringify(entry));
}

function paymentsUnwritableError(cause: unknown): WorkbenchError {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return new WorkbenchError({
    code: 'journal-write-failed',
    kind: 'failed',
    message: `The journal of payments cannot be written${code === undefined ? '' : ` (${code})`}.`,
    hint: 'Free some space; until then, new payments are answered with 503, and nothing is delivered.',
    cause,
  });
}
