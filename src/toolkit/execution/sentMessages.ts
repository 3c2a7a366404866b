import type { LightCell } from '../cell/light/lightCell';
import { readMessage } from '../cell/light/readMessage';
import { readTransaction } from '../cell/light/readTransaction';
import { writeLightCell } from '../cell/light/writeLightCell';
import type { QueuedMessage } from './queuedMessage';

/** The messages a transaction sends on, in order; those to the outside are not delivered. */
export function sentMessages(transaction: LightCell): QueuedMessage[] {
  const result: QueuedMessage[] = [];
  for (const cell of readTransaction(transaction).outMessages) {
    const { kind, destination } = readMessage(cell);
    if (kind === 'internal' && destination !== null) {
      result.push({ boc: writeLightCell(cell).toString('base64'), destination });
    }
  }
  return result;
}
