import type { Cell } from '@ton/core';
import type { Boc } from './boc';
import { readBoc } from './readBoc';

/** A cell of @ton/core as a `Boc` whose only root it is. */
export function fromCoreCell(cell: Cell): Boc {
  return readBoc(cell.toBoc({ crc32: false }));
}
