/** CRC-16/XMODEM of the name, with the bit that marks a name's id: `seqno` is 85143. */
export function methodIdOf(name: string): number {
  let crc = 0;
  for (const byte of Buffer.from(name)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) !== 0 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
    }
  }
  return crc | 0x10000;
}
