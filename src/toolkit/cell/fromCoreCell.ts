import type { Cell } from '@ton/core';
import type { Boc } from './boc';
import { readBoc } from './readBoc';

/** A @ton/core cell as a `Boc` with that single root. */
export function fromCoreCell(cell: Cell): Boc {
  return readBoc(cell.toBoc({ crc32: false }));
}
