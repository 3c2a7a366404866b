import { nodeDisk } from '../../../../src/toolkit/base/journal/journalDisk';
import type { JournalDisk } from '../../../../src/toolkit/base/journal/journalDisk';

/** The real disk, which can be filled, slowed down and cut off. */
export interface FaultyDisk extends JournalDisk {
  /** Bytes that may still be written; a write that does not fit is cut short, the next fails with ENOSPC. */
  bytesLeft: number;
  /** So many writes fail with ENOSPC, whatever is left. */
  failures: number;
  /** Writes wait for this. */
  gate: Promise<void>;
  /** Truncating fails too. */
  noTruncate: boolean;
  syncs: number;
  /** Writes that were begun. */
  writes: number;
}

export function faultyDisk(): FaultyDisk {
  const faults: FaultyDisk = {
    ...nodeDisk,
    bytesLeft: Infinity,
    failures: 0,
    gate: Promise.resolve(),
    noTruncate: false,
    syncs: 0,
    writes: 0,
    writeLater: async (handle, bytes, offset, position) => {
      faults.writes += 1;
      await faults.gate;
      if (faults.bytesLeft <= 0 || faults.failures > 0) {
        faults.failures -= 1;
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      }
      const fits = Math.min(bytes.length - offset, faults.bytesLeft);
      faults.bytesLeft -= fits;
      return nodeDisk.writeLater(handle, bytes.subarray(0, offset + fits), offset, position);
    },
    truncate: (handle, length) => {
      if (faults.noTruncate) {
        throw Object.assign(new Error('input/output error'), { code: 'EIO' });
      }
      nodeDisk.truncate(handle, length);
    },
    syncLater: (handle) => {
      faults.syncs += 1;
      return nodeDisk.syncLater(handle);
    },
  };
  return faults;
}
