import type { JournalFile, JournalFileSystem } from '../../../../src/toolkit/webhook/fileSystem';
import { nodeFileSystem } from '../../../../src/toolkit/webhook/fileSystem';

/** The real file system with a disk that can be filled, slowed down and cut off. */
export interface FaultyFileSystem extends JournalFileSystem {
  /** Bytes that may still be written; a write that does not fit is cut short, the next fails with ENOSPC. */
  bytesLeft: number;
  /** So many writes fail with ENOSPC, whatever is left. */
  failures: number;
  /** Writes wait for this. */
  gate: Promise<void>;
  /** Truncating fails too. */
  noTruncate: boolean;
  syncs: number;
}

export function faultyFileSystem(): FaultyFileSystem {
  const faults: FaultyFileSystem = {
    ...nodeFileSystem,
    bytesLeft: Infinity,
    failures: 0,
    gate: Promise.resolve(),
    noTruncate: false,
    syncs: 0,
    open: async (path, flags, mode) => wrap(await nodeFileSystem.open(path, flags, mode), faults),
  };
  return faults;
}

function wrap(file: JournalFile, faults: FaultyFileSystem): JournalFile {
  return {
    write: async (bytes, offset, length) => {
      await faults.gate;
      if (faults.bytesLeft <= 0 || faults.failures > 0) {
        faults.failures -= 1;
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      }
      const fits = Math.min(length, faults.bytesLeft);
      faults.bytesLeft -= fits;
      return file.write(bytes, offset, fits);
    },
    read: (...parameters) => file.read(...parameters),
    truncate: (length) => {
      if (faults.noTruncate) {
        throw Object.assign(new Error('input/output error'), { code: 'EIO' });
      }
      return file.truncate(length);
    },
    datasync: () => {
      faults.syncs += 1;
      return file.datasync();
    },
    close: () => file.close(),
  };
}
