import path from 'node:path';
import { WorkbenchError } from '../base/errors';
import { FolderLock } from '../base/journal/folderLock';
import type { JournalDisk } from '../base/journal/journalDisk';
import { nodeDisk } from '../base/journal/journalDisk';
import { JournalFile } from '../base/journal/journalFile';
import { limits } from '../base/limits';
import type { Log } from '../base/log';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import type { Bridge } from './bridge';
import type { WalletEntry, WalletSession } from './walletBook';
import { WalletBook } from './walletBook';

/** Entries after which the journal starts over with those that still matter. */
const mostEntries = 5_000;

const journalName = 'wallet.log';

/** A wallet's folder: its journal and its lock. */
export class WalletJournal {
  readonly book = new WalletBook();
  readonly #lock: FolderLock;
  readonly #clock: Clock;
  #file!: JournalFile;
  #entries = 0;

  private constructor(lock: FolderLock, clock: Clock) {
    this.#lock = lock;
    this.#clock = clock;
  }

  /**
   * Opens or creates a wallet's folder.
   * @throws WorkbenchError `wallet-state-in-use`, `wallet-state-unusable` (input)
   */
  static async open(
    folder: string,
    log: Log,
    {
      clock = systemClock,
      disk = nodeDisk,
      afterCrash,
    }: { clock?: Clock; disk?: JournalDisk; afterCrash?: boolean | undefined } = {},
  ): Promise<WalletJournal> {
    let lock: FolderLock | undefined;
    try {
      disk.makeFolder(folder);
      lock = await FolderLock.take(folder, { inUse: ({ pid }) => inUseError(folder, pid), afterCrash });
      const journal = new WalletJournal(lock, clock);
      journal.#open(path.join(folder, journalName), disk, log);
      return journal;
    } catch (error) {
      lock?.release();
      throw WorkbenchError.is(error) ? error : unusableError(folder, error);
    }
  }

  /** Writes entries and takes them into account: when it returns, the operating system has them. */
  add(...entries: WalletEntry[]): void {
    this.#file.append(entries.map((entry) => Buffer.from(JSON.stringify(entry))));
    entries.forEach((entry) => this.book.apply(entry));
    this.#entries += entries.length;
    if (this.#entries > mostEntries) {
      this.#startOver();
    }
  }

  announce(port: number): void {
    this.#lock.announce(port);
  }

  async close(): Promise<void> {
    await this.#file.close();
    this.#lock.release();
  }

  #open(file: string, disk: JournalDisk, log: Log): void {
    const onEntry = (payload: Buffer): void => {
      this.book.apply(JSON.parse(payload.toString('utf8')) as WalletEntry);
      this.#entries += 1;
    };
    const opened = JournalFile.open(
      {
        ...{ path: file, disk, clock: this.#clock },
        guard: () => this.#lock.assertHeld(),
        onUnsynced: (error) => log.error("The wallet's journal could not be flushed to the disk", error),
      },
      { onEntry, afterDamage: 'stop' },
    );
    this.#file = opened.file;
    opened.findings.forEach(({ text }) => log.warn(`The wallet's journal: ${text}`));
    if (this.#entries > mostEntries / 2) {
      this.#startOver();
    }
  }

  #startOver(): void {
    const entries = this.book.entries(this.#clock.now());
    this.#file.rewrite(entries.map((entry) => Buffer.from(JSON.stringify(entry))));
    this.#entries = entries.length;
  }
}

function inUseError(folder: string, pid: number): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-state-in-use',
    kind: 'input',
    message: `The test wallet in ${folder} is running already (process ${pid}).`,
    hint: 'Stop it, or choose another folder with --state.',
    details: { folder, pid },
  });
}

function unusableError(folder: string, cause: unknown): WorkbenchError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new WorkbenchError({
    code: 'wallet-state-unusable',
    kind: 'input',
    message: `${JSON.stringify(folder)} cannot store the test wallet's state: ${reason}.`,
    hint: 'Choose a folder that you can write to; it is created if it does not exist.',
    cause,
  });
}

/**
 * The connection that makes room for another one: the oldest that has ended, that nobody has decided in time, or that is idle,
 * with nothing to decide and nobody listening. Undefined if all are in use.
 * @param now milliseconds since the Unix epoch
 */
export function sessionToForget(
  { sessions, requests }: Pick<WalletJournal['book'], 'sessions' | 'requests'>,
  bridge: Pick<Bridge, 'hears'>,
  now: number,
): WalletSession | undefined {
  const all = [...sessions.values()];
  const busy = new Set([...requests.values()].map(({ session }) => session));
  const oldest = now - limits.walletLifetime.most * 1000;
  return (
    all.find(({ state }) => state === 'ended') ??
    all.find(({ state, since }) => state === 'pending' && since < oldest) ??
    all.find(({ id, app, state }) => state === 'connected' && !busy.has(id) && !bridge.hears(app))
  );
}

/** No connection can be forgotten for another one. */
export function walletFullError(): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-full',
    kind: 'input',
    message: `The test wallet has ${limits.walletSessions.most} connected dApps, and all are in use.`,
    hint: 'Disconnect one first.',
  });
}
