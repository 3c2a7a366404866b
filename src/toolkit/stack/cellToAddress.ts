import { Address } from '@ton/core';
import type { Cell } from '@ton/core';

/** Bits of an internal address without anycast (addr_std: tag 2, anycast flag 1, workchain 8, hash 256). */
const addressBits = 267;

/** The address that exactly fills the cell (addr_std without anycast, no references), else undefined. */
export function cellToAddress(cell: Cell): Address | undefined {
  if (cell.isExotic || cell.refs.length !== 0 || cell.bits.length !== addressBits) {
    return undefined;
  }
  const slice = cell.beginParse();
  if (slice.loadUint(3) !== 0b100) {
    return undefined;
  }
  return new Address(slice.loadInt(8), slice.loadBuffer(32));
}
