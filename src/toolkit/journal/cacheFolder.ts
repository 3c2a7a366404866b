import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import { readUserFile } from '../readUserFile';
import { makeFolder } from './makeFolder';

/** How much a {@link CacheFolder} keeps; the oldest entries are removed first. */
export interface CacheLimits {
  bytes: number;
  entries: number;
}

const checksumBytes = 32;

/**
 * A folder of the user's own for what can be made again: it may be deleted at any time, and several processes may use it
 * at once. Nothing here throws: without a folder that can be used, for example on a full or read-only disk, nothing is
 * found and nothing is kept.
 */
export class CacheFolder {
  constructor(
    private readonly folder: string,
    private readonly limits: CacheLimits,
  ) {}

  /**
   * An entry as it was written; undefined if it is not there, or not whole.
   * @param name a file name
   */
  read(name: string): Buffer | undefined {
    try {
      const bytes = isOwnFolder(this.folder)
        ? readUserFile(path.join(this.folder, name), 'compileCache')
        : undefined;
      const content = bytes?.subarray(checksumBytes);
      return content && checksum(name, content).equals(bytes!.subarray(0, checksumBytes))
        ? content
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes an entry in one step for every reader, then removes the oldest ones beyond the limits. */
  write(name: string, content: Uint8Array): void {
    const fresh = path.join(this.folder, `${randomUUID()}.tmp`);
    try {
      makeFolder(this.folder);
      if (isOwnFolder(this.folder)) {
        fs.writeFileSync(fresh, Buffer.concat([checksum(name, content), content]), {
          flag: 'wx',
          mode: 0o600,
        });
        fs.renameSync(fresh, path.join(this.folder, name));
        this.#removeOldest();
      }
    } catch {
      remove(fresh);
    }
  }

  #removeOldest(): void {
    const files = fs.readdirSync(this.folder).flatMap((name) => {
      const file = path.join(this.folder, name);
      const state = fs.statSync(file, { throwIfNoEntry: false });
      return state?.isFile() === true ? [{ file, size: state.size, time: state.mtimeMs }] : [];
    });
    let [entries, bytes] = [0, 0];
    for (const { file, size } of files.sort((a, b) => b.time - a.time)) {
      entries += 1;
      bytes += size;
      if (entries > this.limits.entries || bytes > this.limits.bytes) {
        remove(file);
      }
    }
  }
}

/** The name is covered, too: an entry is not true under another one. */
function checksum(name: string, content: Uint8Array): Buffer {
  return createHash('sha256').update(`${name}\n`).update(content).digest();
}

/** A folder that others can write to is not used, nor is a link to another one. */
function isOwnFolder(folder: string): boolean {
  const state = fs.lstatSync(folder);
  const user = process.getuid?.();
  return state.isDirectory() && (user === undefined || (state.uid === user && (state.mode & 0o022) === 0));
}

function remove(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // Another process removes it later.
  }
}
