import { loadMessage, loadMessageRelaxed } from '@ton/core';
import type { Cell, Message, MessageRelaxed } from '@ton/core';
import { loadFolded } from './loadFolded';

/**
 * A message of any kind: as in blocks (Message) or as made by a contract (MessageRelaxed, whose source may be
 * missing); undefined if the cell is not a message, or contains more than that.
 */
export function loadAnyMessage(cell: Cell): Message | MessageRelaxed | undefined {
  for (const load of [loadMessage, loadMessageRelaxed]) {
    try {
      const { message, slice } = loadFolded(cell, (slice) => ({ message: load(slice), slice }));
      // An inline body is the remainder; after a body in a reference nothing may remain.
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
