import type { FullDelivery } from '../delivery/delivery';
import { readDeliveries } from './readDeliveries';

/**
 * One delivery of a journal, with its headers and bytes; undefined if there is none with this id.
 * @throws the errors of readDeliveries
 */
export async function readKeptDelivery(directory: string, id: string): Promise<FullDelivery | undefined> {
  let found: FullDelivery | undefined;
  await readDeliveries(directory, {
    onEntry: (entry) => {
      if (entry.kind === 'delivery' && entry.full.id === id) {
        found = { ...entry.full, forwarding: false };
      } else if (entry.kind === 'forwarded' && entry.id === id && found !== undefined) {
        found = { ...found, forwarded: entry.forwarded };
      }
    },
  });
  return found;
}
