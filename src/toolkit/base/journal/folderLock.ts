import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import type { WorkbenchError } from '../errors';
import { readUserText } from '../readUserFile';
import type { Clock } from '../time';
import { systemClock } from '../time';
import { lockLostError } from './journalFile';
import { nodeDisk } from './journalDisk';
import type { ProcessMark, Processes, ProcessState } from './processMark';
import { systemProcesses } from './processMark';

/** The holder of a folder's lock. */
export interface LockHolder extends ProcessMark {
  /** Unique to this lock, never reused. */
  token: string;
  /** Where the holder listens, once it does. */
  port?: number;
}

export interface FolderLockOptions {
  /** The error if another process holds the folder. */
  inUse: (holder: LockHolder, state: ProcessState) => WorkbenchError;
  /** A lock held by this same process was left by one of its threads that crashed. */
  afterCrash?: boolean | undefined;
  clock?: Clock;
  processes?: Processes;
}

const lockName = 'lock.json';
/** Milliseconds between heartbeats; only used by those who cannot see our process. */
const heartbeat = 2_000;
/** A process of another machine or container without a heartbeat for this long is assumed dead. */
const stale = 15_000;
/** Milliseconds to wait for a killed process to exit: one with many gigabytes takes seconds. */
const endingPatience = 20_000;
/** The same for a lock being written right now, on file systems where that is not atomic. */
const writingPatience = 500;
const pause = 25;

/**
 * Ensures that only one process at a time uses a folder. The lock file is created atomically, by a link. The lock of
 * a dead process is taken over by the first process to link the one name reserved for its successor.
 */
export class FolderLock {
  #cancelSign: (() => void) | undefined;
  readonly #file: string;
  #holder: LockHolder;
  /** Keeps the system from reusing a deleted lock's inode number for the next one. */
  #handle: number | undefined;
  #inode = 0n;

  private constructor(
    readonly folder: string,
    holder: LockHolder,
    private readonly clock: Clock,
  ) {
    this.#file = path.join(folder, lockName);
    this.#holder = holder;
    this.#hold();
    this.#planSign();
  }

  /**
   * Locks an existing folder. Waits while its holder is being killed.
   * @throws the error of `inUse`, and the file system's errors
   */
  static async take(folder: string, options: FolderLockOptions): Promise<FolderLock> {
    const { processes = systemProcesses, clock = systemClock } = options;
    const holder = { ...processes.self(), token: randomUUID() };
    const own = path.join(folder, `lock-${holder.token}.tmp`);
    fs.writeFileSync(own, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    const began = clock.monotonic();
    try {
      while (
        !tryToTake(folder, own, {
          ...options,
          processes,
          clock,
          self: holder,
          waited: clock.monotonic() - began,
        })
      ) {
        await clock.sleep(pause);
      }
      return new FolderLock(folder, holder, clock);
    } finally {
      fs.rmSync(own, { force: true });
    }
  }

  /** The current holder of a folder's lock, as far as can be seen without taking it. */
  static holder(folder: string, processes: Processes = systemProcesses): LockHolder | undefined {
    const holder = readHolder(path.join(folder, lockName));
    if (holder === undefined || holder.machine !== processes.self().machine) {
      return holder;
    }
    return processes.state(holder) === 'gone' ? undefined : holder;
  }

  /** Whether this lock still holds the folder. Checked before every write: costs one stat of the file. */
  get isHeld(): boolean {
    return this.#handle !== undefined && inodeOf(this.#file) === this.#inode;
  }

  /** @throws WorkbenchError `folder-lock-lost` (failed) */
  assertHeld(): void {
    if (!this.isHeld) {
      throw lockLostError(this.folder, readHolder(this.#file));
    }
  }

  /** Announces where this process listens. */
  announce(port: number): void {
    this.assertHeld();
    const fresh = path.join(this.folder, `lock-${this.#holder.token}.tmp`);
    this.#holder = { ...this.#holder, port };
    fs.writeFileSync(fresh, JSON.stringify(this.#holder), { mode: 0o600 });
    this.#letGo();
    fs.renameSync(fresh, this.#file);
    this.#hold();
  }

  /** Releases the folder; a lock that meanwhile belongs to another process stays. */
  release(): void {
    this.#cancelSign?.();
    if (this.isHeld) {
      fs.rmSync(this.#file, { force: true });
    }
    this.#letGo();
  }

  #hold(): void {
    this.#handle = fs.openSync(this.#file, 'r');
    this.#inode = fs.fstatSync(this.#handle, { bigint: true }).ino;
  }

  #letGo(): void {
    if (this.#handle !== undefined) {
      fs.closeSync(this.#handle);
    }
    this.#handle = undefined;
  }

  #planSign(): void {
    this.#cancelSign = this.clock.after(
      heartbeat,
      () => {
        this.#giveSign();
        this.#planSign();
      },
      false,
    );
  }

  #giveSign(): void {
    if (this.isHeld) {
      const now = new Date(this.clock.now());
      fs.utimes(this.#file, now, now, () => undefined);
    }
  }
}

interface Attempt extends FolderLockOptions {
  clock: Clock;
  processes: Processes;
  self: LockHolder;
  /** Milliseconds since the first attempt. */
  waited: number;
}

/** False if it is worth retrying soon. */
function tryToTake(folder: string, own: string, attempt: Attempt): boolean {
  const file = path.join(folder, lockName);
  if (linked(own, file)) {
    return true;
  }
  const holder = readHolder(file);
  if (holder === undefined) {
    // Just released, just being written, or not one of our locks.
    if (attempt.waited < writingPatience || !fs.existsSync(file)) {
      return false;
    }
    return succeed(folder, own, `broken-${inodeOf(file) ?? ''}`, attempt);
  }
  const state = stateOf(file, holder, attempt);
  if (state === 'gone') {
    return succeed(folder, own, holder.token, attempt);
  }
  if (state === 'ending' && attempt.waited < endingPatience) {
    return false;
  }
  throw attempt.inUse(holder, state);
}

/**
 * Replaces an abandoned lock. Only one process can link its successor's name; if that process dies halfway, its own
 * successor continues.
 */
function succeed(folder: string, own: string, token: string, attempt: Attempt): boolean {
  const file = path.join(folder, lockName);
  const claims: string[] = [];
  for (let last = token; ;) {
    const claim = path.join(folder, `lock-${last}.next`);
    claims.push(claim);
    if (linked(own, claim)) {
      break;
    }
    const claimant = readHolder(claim);
    if (claimant === undefined || stateOf(claim, claimant, attempt) !== 'gone') {
      return false;
    }
    last = claimant.token;
  }
  // A process that read the old lock long ago may get here after its successor has finished.
  const isStillOld = (readHolder(file)?.token ?? `broken-${inodeOf(file) ?? ''}`) === token;
  if (isStillOld) {
    nodeDisk.rename(own, file);
  }
  claims.reverse().forEach((claim) => fs.rmSync(claim, { force: true }));
  return isStillOld;
}

function stateOf(
  file: string,
  holder: LockHolder,
  { processes, self, afterCrash, clock }: Attempt,
): ProcessState {
  if (holder.machine !== self.machine) {
    const touched = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Math.abs(clock.now() - touched) > stale ? 'gone' : 'running';
  }
  const isOwn = holder.pid === self.pid && holder.started === self.started;
  return isOwn ? (afterCrash === true ? 'gone' : 'running') : processes.state(holder);
}

function linked(file: string, name: string): boolean {
  try {
    nodeDisk.link(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
    return false;
  }
}

function readHolder(file: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(readUserText(file, 'localNetworkFile')) as Partial<LockHolder> | null;
    const isWhole =
      Number.isSafeInteger(holder?.pid) &&
      typeof holder?.started === 'string' &&
      typeof holder.machine === 'string' &&
      typeof holder.token === 'string' &&
      /^[\w-]+$/.test(holder.token);
    return isWhole ? (holder as LockHolder) : undefined;
  } catch {
    return undefined;
  }
}

function inodeOf(file: string): bigint | undefined {
  return fs.statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}
