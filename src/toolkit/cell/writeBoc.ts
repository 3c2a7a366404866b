import type { Boc } from './boc';
import { crc32c } from '../base/crc32c';
import { bocMagics } from './bocMagics';

/** How a BoC is written. */
export interface WriteBocOptions {
  /** Appends a CRC-32C. Default true, as wallets and libraries write it. */
  crc?: boolean;
  /** Adds an index of cell ends. Default false. */
  index?: boolean;
}

/** The cells below `roots` as a separate BoC in the generic format; each cell is written once. */
export function writeBoc(
  boc: Boc,
  roots: readonly number[] = boc.roots,
  options: WriteBocOptions = {},
): Buffer {
  const crc = options.crc ?? true;
  const index = options.index ?? false;
  const cells = reachable(boc, roots);
  const numbers = new Map(cells.map((cell, number) => [cell, number]));
  const referenceBytes = bytesFor(cells.length);
  let cellsLength = 0;
  const ends = cells.map(
    (cell) => (cellsLength += 2 + boc.data(cell).length + boc.referenceCount(cell) * referenceBytes),
  );
  const offsetBytes = bytesFor(cellsLength);
  const headLength = 6 + 3 * referenceBytes + offsetBytes + roots.length * referenceBytes;
  const indexLength = index ? cells.length * offsetBytes : 0;
  const result = Buffer.alloc(headLength + indexLength + cellsLength + (crc ? 4 : 0));
  let at = result.writeUInt32BE(bocMagics.generic);
  const write = (value: number, length: number): void => {
    at = result.writeUIntBE(value, at, length);
  };
  write((index ? 0x80 : 0) | (crc ? 0x40 : 0) | referenceBytes, 1);
  write(offsetBytes, 1);
  write(cells.length, referenceBytes);
  write(roots.length, referenceBytes);
  write(0, referenceBytes);
  write(cellsLength, offsetBytes);
  roots.forEach((root) => write(numbers.get(root)!, referenceBytes));
  if (index) {
    ends.forEach((end) => write(end, offsetBytes));
  }
  for (const cell of cells) {
    const start = boc.offset(cell);
    // Without the flag for stored hashes: they are omitted.
    write(boc.bytes[start]! & ~16, 1);
    write(boc.bytes[start + 1]!, 1);
    const data = boc.data(cell);
    result.set(data, at);
    at += data.length;
    boc.references(cell).forEach((child) => write(numbers.get(child)!, referenceBytes));
  }
  if (crc) {
    result.writeUInt32LE(crc32c(result.subarray(0, at)), at);
  }
  return result;
}

/** In the source's order, where every child comes after its parents, as a BoC requires. */
function reachable(boc: Boc, roots: readonly number[]): number[] {
  const seen = new Uint8Array(boc.cellCount);
  roots.forEach((root) => (seen[root] = 1));
  const result: number[] = [];
  for (let cell = Math.min(...roots); cell < boc.cellCount; cell++) {
    if (seen[cell] === 1) {
      result.push(cell);
      boc.references(cell).forEach((child) => (seen[child] = 1));
    }
  }
  return result;
}

function bytesFor(value: number): number {
  return Math.max(1, Math.ceil((32 - Math.clz32(value)) / 8));
}
