import path from 'node:path';
import type { StateFidelity } from '../../accounts/libraryShelf';
import { WorkbenchError } from '../../base/errors';
import { joinEntry, splitEntry } from '../../base/journal/entryBytes';
import { FolderLock } from '../../base/journal/folderLock';
import type { JournalDisk } from '../../base/journal/journalDisk';
import { nodeDisk } from '../../base/journal/journalDisk';
import { JournalFile } from '../../base/journal/journalFile';
import type { ProcessState } from '../../base/journal/processMark';
import { Listeners } from '../../base/numberWidths';
import type { Log } from '../../base/log';
import { systemClock } from '../../base/time';
import type { ChainJournal, ChainSettings, ForkPoint, JournalEntry, LedgerBase } from '../records/blockInput';
import type { BlockHead } from './blockEntry';
import { joinBlock, keptAddress, keptHash, keptSettings, splitBlock } from './blockEntry';

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

/** The journal's format: a head with the entry's type, and its byte strings. */
function encodeEntry(entry: JournalEntry): Buffer {
  const { head, blobs } = split(entry);
  return joinEntry({ head: { type: entry.type, ...head }, blobs });
}

function split(entry: JournalEntry): { head: object; blobs: readonly Buffer[] } {
  switch (entry.type) {
    case 'accepted':
      return { head: { hash: entry.hash }, blobs: [entry.boc] };
    case 'injected':
      return { head: { hash: entry.hash, destination: entry.destination }, blobs: [entry.boc] };
    case 'settings':
      return { head: { settings: entry.settings }, blobs: [] };
    case 'restored':
      return { head: { seqno: entry.seqno }, blobs: [] };
    case 'loaded':
      return { head: { base: { ...entry.base, endLt: entry.base.endLt.toString() } }, blobs: [] };
    case 'fork':
      return { head: { point: entry.point, settings: entry.settings }, blobs: [] };
    case 'fetched':
      return { head: { address: entry.address, fidelity: entry.fidelity }, blobs: [entry.shardAccount] };
    case 'library':
      return { head: {}, blobs: [entry.boc] };
    case 'block':
      return splitBlock(entry.block, entry.settled);
  }
}

/** The head written by {@link encodeEntry}. */
type Head =
  | { type: 'accepted'; hash: string }
  | { type: 'injected'; hash: string; destination: string }
  | { type: 'settings'; settings: ChainSettings }
  | { type: 'restored'; seqno: number }
  | { type: 'loaded'; base: Omit<LedgerBase, 'endLt'> & { endLt: string } }
  | { type: 'fork'; point: ForkPoint; settings: ChainSettings }
  | { type: 'fetched'; address: string; fidelity: StateFidelity }
  | { type: 'library' }
  | ({ type: 'block' } & BlockHead);

/** The inverse of {@link encodeEntry}; throws if the bytes are not an entry. A block keeps views of `bytes`. */
function decodeEntry(bytes: Buffer): JournalEntry {
  const { head: read, rest } = splitEntry(bytes);
  const head = read as Head;
  switch (head.type) {
    case 'restored':
      return head;
    case 'settings':
    case 'fork':
      return { ...head, settings: keptSettings(head.settings) };
    case 'loaded':
      return { type: 'loaded', base: { ...head.base, endLt: BigInt(head.base.endLt) } };
    case 'accepted':
      return { ...head, hash: keptHash(head.hash), boc: Buffer.from(rest) };
    case 'injected': {
      const destination = keptAddress(head.destination);
      return { ...head, hash: keptHash(head.hash), destination, boc: Buffer.from(rest) };
    }
    case 'library':
      return { ...head, boc: Buffer.from(rest) };
    case 'fetched':
      return { ...head, address: keptAddress(head.address), shardAccount: Buffer.from(rest) };
    case 'block': {
      let offset = 0;
      const view = (length: number): Buffer => {
        offset += length;
        return rest.subarray(offset - length, offset);
      };
      return { type: 'block', block: joinBlock(head, view), settled: head.settled.map(keptHash) };
    }
    default:
      throw new Error('an entry of a kind that this version does not support');
  }
}

export function stateInUseError(
  folder: string,
  { pid, port }: { pid: number; port?: number },
  state: ProcessState = 'running',
): WorkbenchError {
  const stopped = state === 'stopped' ? ', which is stopped' : '';
  const place = `${stopped}${port === undefined ? '' : `, answering on port ${port}`}`;
  return new WorkbenchError({
    code: 'localnet-state-in-use',
    kind: 'input',
    message: `The state in ${folder} belongs to a running local network (process ${pid}${place}).`,
    hint:
      state === 'stopped'
        ? 'Resume it (fg) or end it, or choose another folder.'
        : 'Use that network, stop it, or choose another folder.',
    details: { folder, pid, ...(port === undefined ? {} : { port }) },
  });
}

/** The folder cannot be created, read, or written. */
function stateFolderError(folder: string, cause: unknown): WorkbenchError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new WorkbenchError({
    code: 'localnet-state-unusable',
    kind: 'input',
    message: `${JSON.stringify(folder)} cannot store the local network's state: ${reason}.`,
    hint: 'Choose a folder that you can write to; it is created if it does not exist.',
    cause,
  });
}

/** The disk is full, a file cannot grow further, or the folder now belongs to another process. */
export function stateUnwritableError(cause: unknown): WorkbenchError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new WorkbenchError({
    code: 'localnet-state-unwritable',
    kind: 'failed',
    message: `The local network cannot write its state (${reason.replace(/\.$/, '')}), so this was not accepted.`,
    hint: WorkbenchError.is(cause)
      ? (cause.hint ?? '')
      : 'Free up disk space; nothing that was accepted before is lost.',
    cause,
  });
}
