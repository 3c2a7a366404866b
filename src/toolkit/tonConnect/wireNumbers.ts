/** A 32-bit number as in the protocol's signed bytes; negative ones as two's complement. */
export function uint32(value: number, order: 'big' | 'little'): Buffer {
  const bytes = Buffer.alloc(4);
  return order === 'big' ? (bytes.writeInt32BE(value | 0), bytes) : (bytes.writeUInt32LE(value), bytes);
}

/** A 64-bit number as in the protocol's signed bytes. */
export function uint64(value: number, order: 'big' | 'little'): Buffer {
  const bytes = Buffer.alloc(8);
  if (order === 'big') {
    bytes.writeBigUInt64BE(BigInt(value));
  } else {
    bytes.writeBigUInt64LE(BigInt(value));
  }
  return bytes;
}
