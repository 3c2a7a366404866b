import type { Cell } from '@ton/core';
import { beginCell } from '@ton/core';

/** Bits of parameter 43 (size limits) that the emulator knows; it refuses every transaction when there are more. */
const knownBits = 368;

/** Parameter 43 without the fields that are newer than the emulator. */
export function normalizeParameter43(cell: Cell): Cell {
  if (cell.bits.length <= knownBits) {
    return cell;
  }
  return beginCell().storeBits(cell.beginParse().loadBits(knownBits)).endCell();
}
