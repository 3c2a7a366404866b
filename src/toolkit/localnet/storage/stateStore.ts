import type { Log } from '../../log';
import type { ChainJournal } from '../chain/chainOptions';
import { stateUnwritableError } from '../localnetErrors';
import type { JournalDisk } from './journalFile';
import { JournalFile } from './journalFile';
import type { JournalEntry } from './journalEntry';
import { StateLock } from './stateLock';

/** A folder that keeps a chain: its journal and its lock. */
export class StateStore implements ChainJournal {
  readonly #lock: StateLock;
  readonly #file: JournalFile;
  /** Entries the disk has not taken yet; nothing may be written before them. */
  #backlog: JournalEntry[] = [];
  /** Said so already. */
  #isFull = false;

  private constructor(
    lock: StateLock,
    file: JournalFile,
    private readonly log: Log,
  ) {
    this.#lock = lock;
    this.#file = file;
  }

  /** Locks the folder and gives its entries to `replay`. Throws `localnet-state-in-use`. */
  static open(
    folder: string,
    replay: (entry: JournalEntry) => void,
    log: Log,
    { disk, afterCrash = false }: { disk?: JournalDisk | undefined; afterCrash?: boolean | undefined } = {},
  ): StateStore {
    const lock = StateLock.take(folder, process.pid, afterCrash);
    try {
      return new StateStore(lock, JournalFile.open(folder, replay, log, disk), log);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Entries that are in memory only. */
  get unwritten(): number {
    return this.#backlog.length;
  }

  /** Tells others where the network answers. */
  announce(port: number): void {
    this.#lock.announce({ pid: process.pid, port });
  }

  require(entry: JournalEntry): void {
    try {
      this.#flush();
      this.#file.append(entry);
    } catch (error) {
      throw stateUnwritableError(error);
    }
  }

  record(entry: JournalEntry): void {
    this.#backlog.push(entry);
    try {
      this.#flush();
    } catch (error) {
      if (!this.#isFull) {
        this.log.error(
          'The local network cannot write its state; no message is accepted until it can',
          error,
        );
      }
      this.#isFull = true;
    }
  }

  reset(entries: readonly JournalEntry[]): void {
    try {
      this.#file.rewrite(entries);
    } catch (error) {
      throw stateUnwritableError(error);
    }
    this.#backlog = [];
  }

  close(): void {
    try {
      this.#flush();
      this.#file.close();
    } catch (error) {
      this.log.error(
        `${this.#backlog.length} entries of the local network's state could not be written`,
        error,
      );
    }
    this.#lock.release();
  }

  #flush(): void {
    for (let entry = this.#backlog[0]; entry !== undefined; entry = this.#backlog[0]) {
      this.#file.append(entry);
      this.#backlog.shift();
    }
    this.#isFull = false;
  }
}
