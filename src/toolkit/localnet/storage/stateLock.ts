import * as fs from 'node:fs';
import path from 'node:path';
import { stateFolderError, stateInUseError } from '../localnetErrors';

/** Who holds a state folder. */
export interface LockOwner {
  pid: number;
  /** Where it answers, once it does. */
  port?: number;
}

const name = 'lock.json';
/** The owner touches its lock this often; one not touched for much longer belongs to nobody. */
const heartbeat = 2_000;
const stale = 15_000;

/** Makes sure that one network at a time writes to a folder. A lock whose process is gone is taken over. */
export class StateLock {
  readonly #timer: NodeJS.Timeout;

  private constructor(private readonly file: string) {
    this.#timer = setInterval(() => this.#touch(), heartbeat).unref();
  }

  /**
   * Throws `localnet-state-unusable` when there can be no such folder, `localnet-state-in-use` with the owner's facts when another running network holds the folder.
   * With `afterCrash` a lock of this very process is one that a crashed worker left.
   */
  static take(folder: string, pid: number, afterCrash = false): StateLock {
    makeFolder(folder);
    const file = path.join(folder, name);
    for (;;) {
      try {
        fs.writeFileSync(file, JSON.stringify({ pid } satisfies LockOwner), { flag: 'wx' });
        return new StateLock(file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
          throw error;
        }
      }
      const owner = readOwner(file);
      const left = afterCrash && owner?.pid === pid;
      if (owner !== undefined && !left && isAlive(file, owner)) {
        throw stateInUseError(folder, owner);
      }
      fs.rmSync(file, { force: true });
    }
  }

  /** Tells others where this network answers. */
  announce(owner: LockOwner): void {
    fs.writeFileSync(this.file, JSON.stringify(owner));
  }

  release(): void {
    clearInterval(this.#timer);
    fs.rmSync(this.file, { force: true });
  }

  #touch(): void {
    const now = new Date();
    fs.utimes(this.file, now, now, () => undefined);
  }
}

function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw stateFolderError(folder, error);
  }
}

function readOwner(file: string): LockOwner | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as LockOwner;
  } catch {
    return undefined;
  }
}

function isAlive(file: string, { pid }: LockOwner): boolean {
  const touched = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - touched > stale) {
    return false;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
