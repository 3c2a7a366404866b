import path from 'node:path';
import { readFileHeader } from '../../journal/frames';
import { nodeDisk } from '../../journal/journalDisk';
import { readJournal } from '../../journal/readJournal';
import type { FullDelivery } from '../delivery/delivery';
import { decodeDeliveryEntry } from './deliveryEntry';
import { listSegments, segmentName } from './deliverySegments';

/**
 * One delivery of a journal, with its headers and bytes. Read-only and without a lock, so a listener may be using the
 * journal; damaged data is skipped. Throws if the folder cannot be read.
 */
export function readKeptDelivery(directory: string, id: string): FullDelivery | undefined {
  let found: FullDelivery | undefined;
  const onEntry = (payload: Buffer): void => {
    const entry = decodeDeliveryEntry(payload);
    if (entry.kind === 'delivery' && entry.full.id === id) {
      found = { ...entry.full, forwarding: false };
    } else if (entry.kind === 'forwarded' && entry.id === id && found !== undefined) {
      found = { ...found, forwarded: entry.forwarded };
    }
  };
  for (const number of listSegments(directory, nodeDisk)) {
    const bytes = readSegment(directory, number);
    const header = readFileHeader(bytes);
    if (header !== undefined) {
      readJournal(bytes, header, { onEntry, afterDamage: 'skip' });
    }
  }
  return found;
}

/** Undefined if the listener has dropped it meanwhile. */
function readSegment(directory: string, number: number): Buffer {
  const file = path.join(directory, segmentName(number));
  return nodeDisk.exists(file) ? nodeDisk.readFile(file) : Buffer.alloc(0);
}
