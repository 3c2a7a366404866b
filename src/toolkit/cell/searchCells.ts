import { lowerHex } from '../address/lowerHex';
import { Address } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import type { Boc } from './boc';

/** A cell that matches a search. */
export interface CellMatch {
  cell: number;
  /** Bit position of the text in the cell's data; undefined if the hash matched. */
  bit: number | undefined;
}

/** Maximum number of matches. */
const limit = 1000;

/**
 * Searches hashes and data. `query` is an address (searches for its account id), hex (`0x…`, `x{…}`, or at least four
 * digits: data at any bit, or the beginning of a hash), `#12` (a cell's number), or any other text (as UTF-8).
 *
 * @throws WorkbenchError `cell-search-too-short` if the pattern has fewer than 16 bits.
 */
export function searchCells(boc: Boc, query: string): CellMatch[] {
  const text = query.trim();
  const numbered = /^#(\d+)$/.exec(text);
  if (numbered !== null) {
    const cell = Number(numbered[1]);
    return cell < boc.cellCount ? [{ cell, bit: undefined }] : [];
  }
  const address = parseAddress(text);
  if (address !== undefined) {
    return searchData(boc, address.hash);
  }
  const hex = /^(?:0x|x\{)?([0-9a-f]{4,})\}?$/i.exec(text)?.[1];
  if (hex === undefined) {
    return searchData(boc, Buffer.from(text.replace(/^"(.*)"$/, '$1'), 'utf8'));
  }
  const byHash = hex.length <= 64 ? searchHashes(boc, lowerHex(hex)) : [];
  const whole = hex.length % 2 === 0 ? hex : hex.slice(0, -1);
  return [...byHash, ...searchData(boc, Buffer.from(whole, 'hex'), hex.length % 2 ? hex.at(-1) : undefined)];
}

function searchHashes(boc: Boc, prefix: string): CellMatch[] {
  const matches: CellMatch[] = [];
  for (let cell = 0; cell < boc.cellCount && matches.length < limit; cell++) {
    if (boc.hashHex(cell).startsWith(prefix)) {
      matches.push({ cell, bit: undefined });
    }
  }
  return matches;
}

/**
 * Finds `pattern` at any bit: shifted by 0 to 7 bits, its middle is whole bytes, which the native search finds in the
 * BoC quickly; each hit is then checked against the data of the cell around it.
 */
function searchData(boc: Boc, pattern: Buffer, lastDigit?: string): CellMatch[] {
  const bits =
    toBits(pattern) + (lastDigit === undefined ? '' : toBits(Buffer.from(`0${lastDigit}`, 'hex')).slice(4));
  if (bits.length < 16) {
    throw new WorkbenchError({
      code: 'cell-search-too-short',
      kind: 'input',
      message: 'Searching needs at least two bytes.',
      hint: 'Enter two characters or four hex digits.',
    });
  }
  const bytes = Buffer.from(boc.bytes.buffer, boc.bytes.byteOffset, boc.bytes.byteLength);
  const found = new Map<string, CellMatch>();
  for (let shift = 0; shift < 8; shift++) {
    const skip = (8 - shift) % 8;
    const middle = bits.slice(skip, skip + Math.floor((bits.length - skip) / 8) * 8);
    const needle = Buffer.from((middle.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
    let at = needle.length === 0 ? -1 : bytes.indexOf(needle, boc.header.cellsStart);
    for (; at >= 0 && found.size < limit; at = bytes.indexOf(needle, at + 1)) {
      const match = matchAt(boc, at * 8 - skip, bits);
      if (match !== undefined) {
        found.set(`${match.cell}:${match.bit}`, match);
      }
    }
  }
  return [...found.values()].sort((a, b) => a.cell - b.cell || (a.bit ?? 0) - (b.bit ?? 0));
}

/** The cell whose data holds `bits` at `position` (in bits from the start of the BoC), if one does. */
function matchAt(boc: Boc, position: number, bits: string): CellMatch | undefined {
  let low = 0;
  let high = boc.cellCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (boc.offset(middle) * 8 <= position) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const data = boc.data(low);
  const bit = position - (data.byteOffset - boc.bytes.byteOffset) * 8;
  if (bit < 0 || bit + bits.length > boc.bitLength(low)) {
    return undefined;
  }
  for (let i = 0; i < bits.length; i++) {
    const place = bit + i;
    if (((data[place >> 3]! >> (7 - (place & 7))) & 1) !== Number(bits[i])) {
      return undefined;
    }
  }
  return { cell: low, bit };
}

function toBits(bytes: Buffer): string {
  return [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
}

function parseAddress(text: string): Address | undefined {
  try {
    return Address.parse(text);
  } catch {
    return undefined;
  }
}
