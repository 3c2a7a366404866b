import path from 'node:path';
import { WorkbenchError } from '../../errors';
import { FolderLock } from '../../journal/folderLock';
import { JournalFile } from '../../journal/journalFile';
import type { JournalDisk } from '../../journal/journalDisk';
import { nodeDisk } from '../../journal/journalDisk';
import type { Log } from '../../log';
import { systemClock } from '../../time';
import type { ChainJournal } from '../records/chainJournal';
import { Listeners } from '../../listeners';
import { stateFolderError, stateInUseError, stateUnwritableError } from './stateErrors';
import type { JournalEntry } from '../records/journalEntry';
import { decodeEntry, encodeEntry } from './encodeEntry';

export interface OpenStateOptions {
  disk?: JournalDisk | undefined;
  /** The lock may have been left by a crashed worker of this process. */
  afterCrash?: boolean | undefined;
}

const journalName = 'journal.log';

/** A folder with a chain: its journal and its lock. */
export class StateStore implements ChainJournal {
  readonly #lock: FolderLock;
  readonly #log: Log;
  readonly #troubled = new Listeners<undefined>();
  /** Problems found at startup. */
  readonly #findings: string[] = [];
  #file!: JournalFile;
  /** Entries not yet on disk; nothing may be written before them. */
  #backlog: JournalEntry[] = [];
  /** Why the last entry could not be written, and the same as a sentence; undefined if it was. */
  #fault: { reason: string; text: string } | undefined;

  private constructor(lock: FolderLock, log: Log) {
    this.#lock = lock;
    this.#log = log;
  }

  /**
   * Locks the folder and passes its entries to `replay`. Problems of its journal are logged and kept in {@link
   * problems}.
   * @throws WorkbenchError `localnet-state-in-use`, `localnet-state-unusable` (input)
   */
  static async open(
    folder: string,
    replay: (entry: JournalEntry) => void,
    log: Log,
    { disk = nodeDisk, afterCrash }: OpenStateOptions = {},
  ): Promise<StateStore> {
    let lock: FolderLock | undefined;
    try {
      disk.makeFolder(folder);
      lock = await FolderLock.take(folder, {
        inUse: (holder, state) => stateInUseError(folder, holder, state),
        afterCrash,
      });
      const store = new StateStore(lock, log);
      store.#open(path.join(folder, journalName), replay, disk);
      return store;
    } catch (error) {
      lock?.release();
      throw WorkbenchError.is(error) ? error : stateFolderError(folder, error);
    }
  }

  #open(file: string, replay: (entry: JournalEntry) => void, disk: JournalDisk): void {
    const options = {
      ...{ path: file, disk, clock: systemClock },
      guard: () => this.#lock.assertHeld(),
      onUnsynced: (error: unknown) => this.#failed('The journal could not be flushed to the disk', error),
    };
    const onEntry = (payload: Buffer): void => replay(decodeEntry(payload));
    const opened = JournalFile.open(options, { onEntry, afterDamage: 'stop' });
    this.#file = opened.file;
    for (const { text } of opened.findings) {
      this.#log.warn(`The local network's state: ${text}`);
      this.#findings.push(text);
    }
  }

  /** Problems of the saved state, as text: found at startup, or since. */
  get problems(): readonly string[] {
    return this.#fault === undefined ? this.#findings : [...this.#findings, this.#fault.text];
  }

  get fault(): string | undefined {
    return this.#fault?.reason;
  }

  /** Called when {@link problems} changes. Returns a function that removes the listener. */
  onProblems(listener: () => void): () => void {
    return this.#troubled.add(listener);
  }

  /** Announces where the network listens. */
  announce(port: number): void {
    this.#lock.announce(port);
  }

  require(entry: JournalEntry): void {
    try {
      this.#append([...this.#backlog, entry]);
    } catch (error) {
      const refused = stateUnwritableError(error);
      this.#failed('The local network cannot write its stateand accepts nothing until it can', error);
      throw refused;
    }
  }

  record(entry: JournalEntry): void {
    this.#backlog.push(entry);
    try {
      this.#append(this.#backlog);
    } catch (error) {
      this.#failed('The local network cannot write its stateand accepts nothing until it can', error);
    }
  }

  reset(entries: readonly JournalEntry[]): void {
    try {
      this.#file.rewrite(entries.map(encodeEntry));
    } catch (error) {
      throw stateUnwritableError(error);
    }
    this.#backlog = [];
    this.#recovered();
  }

  async close(): Promise<void> {
    try {
      if (this.#backlog.length > 0) {
        this.#append(this.#backlog);
      }
    } catch (error) {
      this.#log.error(
        `${this.#backlog.length} entries of the local network's state could not be written`,
        error,
      );
    }
    await this.#file.close();
    this.#lock.release();
  }

  #append(entries: readonly JournalEntry[]): void {
    this.#file.append(entries.map(encodeEntry));
    this.#backlog = [];
    this.#recovered();
  }

  #failed(what: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `${what}: ${reason}`;
    if (text !== this.#fault?.text) {
      this.#fault = { reason, text };
      this.#log.error(text);
      this.#troubled.tell(undefined);
    }
  }

  #recovered(): void {
    if (this.#fault !== undefined) {
      this.#fault = undefined;
      this.#log.info('The local network can write its state again.');
      this.#troubled.tell(undefined);
    }
  }
}
