const tables = makeTables();

/** CRC-32C (Castagnoli) of `bytes`, as the unsigned number that a BoC stores little-endian. Eight bytes per step. */
export function crc32c(bytes: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let crc = -1;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    const low = crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
    crc =
      t7[low & 255]! ^
      t6[(low >>> 8) & 255]! ^
      t5[(low >>> 16) & 255]! ^
      t4[low >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) {
    crc = t0[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

function makeTables(): Int32Array[] {
  const result = Array.from({ length: 8 }, () => new Int32Array(256));
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) {
      value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
    }
    result[0]![byte] = value;
  }
  for (let table = 1; table < 8; table++) {
    for (let byte = 0; byte < 256; byte++) {
      const before = result[table - 1]![byte]!;
      result[table]![byte] = result[0]![before & 255]! ^ (before >>> 8);
    }
  }
  return result;
}
