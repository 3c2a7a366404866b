import { nodeDisk } from '../../journal/journalDisk';
import { silentLog } from '../../log';
import { systemClock } from '../../time';
import { DeliveryStore } from './deliveryStore';
import { defaultJournalLimits } from './journal';

/**
 * Deletes all deliveries of a journal that no listener uses, and with them the states of its orders.
 * @throws WorkbenchError `journal-in-use`, `journal-unusable` (input)
 */
export async function clearJournal(directory: string): Promise<void> {
  const store = await DeliveryStore.open({
    directory,
    limits: defaultJournalLimits,
    disk: nodeDisk,
    clock: systemClock,
    log: silentLog,
  });
  try {
    await store.clear();
  } finally {
    await store.close();
  }
}
