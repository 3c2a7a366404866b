import type { Boc } from './boc';

/** A cell's data in Fift notation: `x{4A_}`, where `_` marks a bit count not divisible by four. */
export function dataText(boc: Boc, cell: number): string {
  const bits = boc.bitLength(cell);
  const hex = Buffer.from(boc.data(cell)).toString('hex').toUpperCase();
  const digits = bits % 4 === 0 ? hex.slice(0, bits / 4) : `${hex.slice(0, Math.floor(bits / 4) + 1)}_`;
  return `x{${digits}}`;
}
