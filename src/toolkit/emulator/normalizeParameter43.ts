import type { Cell } from '@ton/core';
import { beginCell } from '@ton/core';

/** Bits of parameter 43 (size limits) that the emulator knows; with more it rejects every transaction. */
const knownBits = 368;

/** Parameter 43 without the fields newer than the emulator. */
export function normalizeParameter43(cell: Cell): Cell {
  if (cell.bits.length <= knownBits) {
    return cell;
  }
  return beginCell().storeBits(cell.beginParse().loadBits(knownBits)).endCell();
}
