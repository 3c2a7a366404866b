import { WorkbenchError } from '../toolkit/errors';
import type { FullDelivery } from '../toolkit/webhook/delivery/delivery';
import { readKeptDelivery } from '../toolkit/webhook/journal/readKeptDelivery';
import { fileError } from './fileError';
import { pathHere } from './surroundings';

/**
 * A delivery in the journal of `webhook listen --journal`, by its id.
 * @throws WorkbenchError `delivery-unknown`, `deliveries-unreadable` (input)
 */
export async function keptDelivery(journal: string, id: string): Promise<FullDelivery> {
  let delivery: FullDelivery | undefined;
  try {
    delivery = await readKeptDelivery(pathHere(journal), id);
  } catch (cause) {
    throw journalUnreadableError(journal, cause);
  }
  if (delivery === undefined) {
    throw new WorkbenchError({
      code: 'delivery-unknown',
      kind: 'input',
      message: `The journal has no delivery ${JSON.stringify(id)}.`,
      hint: 'The ids are in the lines of webhook list and webhook listen.',
    });
  }
  return delivery;
}

/** A journal that cannot be read. */
export function journalUnreadableError(journal: string, cause: unknown): WorkbenchError {
  const hint = 'Give the directory that webhook listen --journal was given.';
  return fileError(
    { path: journal, what: 'The journal', code: 'deliveries-unreadable', hint, isFolder: true },
    cause,
  );
}
