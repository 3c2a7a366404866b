import { beginCell } from '@ton/core';
import type { Builder, Cell } from '@ton/core';

/** Whole bytes that fit into one cell. */
const bytesPerCell = 127;

/** The UTF-8 bytes of `text` as a cell; after 127 bytes, the rest follows in references, one per cell (snake). */
export function stringToCell(text: string): Cell {
  return appendString(beginCell(), text).endCell();
}

/** Appends the UTF-8 bytes of `text`: as many as fit into the builder, the rest as a snake in a reference. */
export function appendString(builder: Builder, text: string): Builder {
  const bytes = Buffer.from(text, 'utf8');
  const head = bytes.subarray(0, Math.floor(builder.availableBits / 8));
  builder.storeBuffer(head);
  const tail = snake(bytes.subarray(head.length));
  return tail === undefined ? builder : builder.storeRef(tail);
}

function snake(bytes: Buffer): Cell | undefined {
  let next: Cell | undefined;
  const cells = Math.ceil(bytes.length / bytesPerCell);
  for (let index = cells - 1; index >= 0; index--) {
    const builder = beginCell().storeBuffer(bytes.subarray(index * bytesPerCell, (index + 1) * bytesPerCell));
    next = (next === undefined ? builder : builder.storeRef(next)).endCell();
  }
  return next;
}

/**
 * The text of a cell of whole bytes, its only reference (if any) followed as a snake; undefined if the cell has
 * another shape or its bytes are not valid UTF-8. Control characters are left to the caller.
 */
export function cellToString(cell: Cell): string | undefined {
  const chunks: Uint8Array[] = [];
  let current: Cell | undefined = cell;
  while (current !== undefined) {
    const { bits, refs }: Cell = current;
    if (current.isExotic || bits.length % 8 !== 0 || refs.length > 1) {
      return undefined;
    }
    chunks.push(bits.subbuffer(0, bits.length) ?? Buffer.alloc(0));
    current = refs[0];
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}
