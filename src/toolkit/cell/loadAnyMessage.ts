import { loadMessage, loadMessageRelaxed } from '@ton/core';
import type { Cell, Message, MessageRelaxed } from '@ton/core';
import { foldedCell } from './foldedCell';

/**
 * A message of any kind: as it stands in blocks (Message) or as a contract makes it (MessageRelaxed, where the source
 * may be missing); undefined when the cell is not one, or holds more than one.
 */
export function loadAnyMessage(cell: Cell): Message | MessageRelaxed | undefined {
  for (const load of [loadMessage, loadMessageRelaxed]) {
    try {
      const slice = foldedCell(cell).beginParse();
      const message = load(slice);
      // An inline body is whatever is left; after a body in a reference nothing may be left.
      const inline = slice.remainingBits > 0 || slice.remainingRefs > 0;
      const left = slice.asCell();
      if (!inline || left.hash().equals(message.body.hash())) {
        return message;
      }
    } catch {
      // Not of this kind.
    }
  }
  return undefined;
}
