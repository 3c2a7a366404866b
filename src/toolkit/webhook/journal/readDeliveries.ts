import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import path from 'node:path';
import { readFileHeader } from '../../journal/frames';
import { readJournal } from '../../journal/readJournal';
import { readUserFile } from '../../readUserFile';
import { carriedStatesFile, readState } from './carriedStates';
import { decodeDeliveryEntry } from './deliveryEntry';
import type { DeliveryEntry } from './deliveryEntry';
import { listSegments, segmentName } from './deliverySegments';
import type { OrderState } from '../orders/orderBook';

/** What a reading of a journal reports. */
export interface DeliveryReader {
  /** Each entry, oldest first. */
  onEntry: (entry: DeliveryEntry) => void;
  /** The states of orders whose deliveries are gone, before the entries. */
  onState?: (state: OrderState) => void;
}

/**
 * Reads a journal of deliveries without changing or locking it, so a listener may be using it; damaged data is skipped.
 * One file after the other, so that the thread can do other things in between.
 * @throws the errors of the file system, if the folder cannot be read
 */
export async function readDeliveries(directory: string, { onEntry, onState }: DeliveryReader): Promise<void> {
  const names = await readdir(directory);
  if (onState !== undefined) {
    await readEntries(path.join(directory, carriedStatesFile), (payload) => onState(readState(payload)));
  }
  for (const number of listSegments(directory, { list: () => names })) {
    await readEntries(path.join(directory, segmentName(number)), (payload) =>
      onEntry(decodeDeliveryEntry(payload)),
    );
  }
}

async function readEntries(file: string, onEntry: (payload: Buffer) => void): Promise<void> {
  await setImmediate();
  let bytes: Buffer;
  try {
    bytes = readUserFile(file, 'journalFile');
  } catch (error) {
    // The listener may have dropped it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return;
    }
    throw error;
  }
  const header = readFileHeader(bytes);
  if (header !== undefined) {
    readJournal(bytes, header, { onEntry, afterDamage: 'skip' });
  }
}
