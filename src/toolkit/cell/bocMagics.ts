/** The first four bytes of a bag of cells (crypto/tl/boc.tlb), by format. */
export const bocMagics = {
  generic: 0xb5ee9c72,
  indexed: 0x68ff65f3,
  'indexed-crc': 0xacc3a728,
} as const;

/** Whether hex digits are a bag of cells, or the beginning of one. */
export function isBocHex(text: string): boolean {
  const first = /^[0-9a-f]{8}/i.exec(text)?.[0];
  return first !== undefined && Object.values<number>(bocMagics).includes(parseInt(first, 16));
}
