import type { Boc } from './boc';

/** A cell's data as Fift writes it: `x{4A_}`, where `_` ends a number of bits that four does not divide. */
export function dataText(boc: Boc, cell: number): string {
  const bits = boc.bitLength(cell);
  const hex = Buffer.from(boc.data(cell)).toString('hex').toUpperCase();
  const digits = bits % 4 === 0 ? hex.slice(0, bits / 4) : `${hex.slice(0, Math.floor(bits / 4) + 1)}_`;
  return `x{${digits}}`;
}
