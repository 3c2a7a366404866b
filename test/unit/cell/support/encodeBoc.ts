import type { Cell } from '@ton/core';
import { crc32c } from '@ton/core';

/** Every freedom the format gives a writer. */
export interface EncodeOptions {
  magic?: 0xb5ee9c72 | 0x68ff65f3 | 0xacc3a728;
  index?: boolean;
  crc?: boolean;
  cacheBits?: boolean;
  storeHashes?: boolean;
  referenceBytes?: number;
  offsetBytes?: number;
}

/** A BoC writer of the tests' own, so that the product's reader and writer do not vouch for each other. */
export function encodeBoc(roots: Cell[], options: EncodeOptions = {}): Buffer {
  const magic = options.magic ?? 0xb5ee9c72;
  const generic = magic === 0xb5ee9c72;
  const index = !generic || options.index === true;
  const crc = generic ? options.crc === true : magic === 0xacc3a728;
  const cells = inOrder(roots);
  const numbers = new Map(cells.map((cell, i) => [key(cell), i]));
  const size = options.referenceBytes ?? (cells.length < 256 ? 1 : 2);
  const parts = cells.map((cell) => encodeCell(cell, numbers, size, options.storeHashes === true));
  const body = Buffer.concat(parts);
  const offsetBytes = options.offsetBytes ?? 3;
  const number = (value: number, bytes: number): Buffer =>
    Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex');
  const flags = (index ? 0x80 : 0) | (crc ? 0x40 : 0) | (options.cacheBits ? 0x20 : 0) | size;
  let end = 0;
  const result = Buffer.concat([
    number(magic, 4),
    number(generic ? flags : size, 1),
    number(offsetBytes, 1),
    number(cells.length, size),
    number(roots.length, size),
    number(0, size),
    number(body.length, offsetBytes),
    ...(generic ? roots.map((root) => number(numbers.get(key(root))!, size)) : []),
    ...(index
      ? parts.map((part) => number((end += part.length) * (options.cacheBits ? 2 : 1), offsetBytes))
      : []),
    body,
  ]);
  return crc ? Buffer.concat([result, crc32c(result)]) : result;
}

function encodeCell(cell: Cell, numbers: Map<string, number>, size: number, storeHashes: boolean): Buffer {
  const mask = cell.mask.value;
  const d1 = cell.refs.length + (cell.isExotic ? 8 : 0) + (storeHashes ? 16 : 0) + mask * 32;
  const d2 = Math.ceil(cell.bits.length / 8) + Math.floor(cell.bits.length / 8);
  const parts: Buffer[] = [Buffer.from([d1, d2])];
  if (storeHashes) {
    const levels = [0, 1, 2, 3].filter((level) => level === 0 || mask & (1 << (level - 1)));
    parts.push(...levels.map((level) => cell.hash(level)));
    parts.push(...levels.map((level) => Buffer.from([cell.depth(level) >> 8, cell.depth(level) & 255])));
  }
  let bits = '';
  for (let i = 0; i < cell.bits.length; i++) {
    bits += cell.bits.at(i) ? '1' : '0';
  }
  if (bits.length % 8 > 0) {
    bits = (bits + '1').padEnd(Math.ceil((bits.length + 1) / 8) * 8, '0');
  }
  parts.push(Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2))));
  for (const child of cell.refs) {
    parts.push(
      Buffer.from(
        numbers
          .get(key(child))!
          .toString(16)
          .padStart(size * 2, '0'),
        'hex',
      ),
    );
  }
  return Buffer.concat(parts);
}

/** Each cell once, every parent before its children. */
function inOrder(roots: Cell[]): Cell[] {
  const done = new Map<string, Cell>();
  const visit = (cell: Cell): void => {
    if (!done.has(key(cell))) {
      cell.refs.forEach(visit);
      done.set(key(cell), cell);
    }
  };
  roots.forEach(visit);
  return [...done.values()].reverse();
}

const key = (cell: Cell): string => cell.hash().toString('hex');
